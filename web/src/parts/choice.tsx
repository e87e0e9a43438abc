/* Form elements: a select, a search box that waits for a pause in typing, and a button that copies
 * text. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { words } from "../format";

export interface Option {
  value: string;
  text?: string;
}

export function Choice(props: {
  label: string;
  value: string;
  options: Option[];
  any?: string;
  onPick: (value: string) => void;
}): JSX.Element {
  const { label, value, options, any = "any", onPick } = props;
  const known = value === "" || options.some((option) => option.value === value);
  return (
    <label class={value === "" ? "choice" : "choice chosen"}>
      <span class="choice-label">{label}</span>
      <select value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        <option value="">{any}</option>
        {!known && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option value={option.value} key={option.value}>
            {option.text ?? words(option.value)}
          </option>
        ))}
      </select>
    </label>
  );
}

const PAUSE_MS = 220; /* short enough to feel immediate, long enough to avoid a request per key */

export function SearchBox(props: { value: string; placeholder: string; onText: (text: string) => void }): JSX.Element {
  const [text, setText] = useState(props.value);
  const timer = useRef(0);
  const sent = useRef(props.value);
  useEffect(() => {
    if (props.value === sent.current) return;
    sent.current = props.value;
    setText(props.value);
  }, [props.value]);
  const send = (value: string): void => {
    window.clearTimeout(timer.current);
    sent.current = value.trim();
    props.onText(value.trim());
  };
  const type = (value: string): void => {
    setText(value);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => send(value), PAUSE_MS);
  };
  return (
    <input
      class="search"
      type="search"
      data-search=""
      aria-label={props.placeholder}
      placeholder={`${props.placeholder}  ( / )`}
      value={text}
      onInput={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") send(event.currentTarget.value);
        if (event.key === "Escape") event.currentTarget.blur();
      }}
    />
  );
}

export function CopyButton(props: { text: () => string; children: string; title?: string }): JSX.Element {
  const [done, setDone] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(props.text());
      setDone("Copied");
    } catch {
      setDone("Copy failed");
    }
    window.setTimeout(() => setDone(""), 1500);
  };
  return (
    <button type="button" class="quiet" title={props.title} onClick={() => void copy()}>
      {done === "" ? props.children : done}
    </button>
  );
}
