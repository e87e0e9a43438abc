/* The keyboard: "/" goes to the search box, j and k walk the rows of the view, Enter opens the row,
 * x unfolds it, "?" lists the keys. A row is an element with data-row. In it, a[data-open] is the
 * link and [data-fold] the button that unfolds it. Nothing happens while somebody types. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

const KEYS: [string, string][] = [
  ["/", "go to the search box"],
  ["j, k", "next row, previous row"],
  ["Enter", "open the row"],
  ["x", "unfold the row"],
  ["?", "this list"],
];

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, dialog") !== null;
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-row]")];
}

function walk(step: number): void {
  const all = rows();
  if (all.length === 0) return;
  const current = document.activeElement instanceof HTMLElement ? document.activeElement.closest<HTMLElement>("[data-row]") : null;
  const at = current ? all.indexOf(current) : -1;
  const next = all[at === -1 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step))];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

function press(selector: string): boolean {
  const row = document.activeElement?.matches("[data-row]") ? document.activeElement : null;
  const target = row?.querySelector<HTMLElement>(selector);
  target?.click();
  return target !== undefined && target !== null;
}

function act(key: string): boolean {
  if (key === "/") {
    const box = document.querySelector<HTMLInputElement>("[data-search]");
    box?.focus();
    box?.select();
    return box !== null;
  }
  if (key === "j" || key === "k") {
    walk(key === "j" ? 1 : -1);
    return true;
  }
  if (key === "Enter") return press("a[data-open]");
  if (key === "x") return press("[data-fold]");
  return false;
}

export function Keys(): JSX.Element {
  const [shown, setShown] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey || typing(event.target)) return;
      if (event.key === "?") setShown(true);
      else if (act(event.key)) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => {
    if (shown) dialog.current?.showModal();
    else dialog.current?.close();
  }, [shown]);
  return (
    <dialog ref={dialog} class="keys" onClose={() => setShown(false)} aria-label="Keyboard">
      <h2>Keyboard</h2>
      <dl>
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => setShown(false)}>
        Close
      </button>
    </dialog>
  );
}
