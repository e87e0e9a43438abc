/* The frame around every view: name, views, who is signed in, theme; and the sign-in panel that
 * stands in for the view until there is a token. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiProblem } from "../api";
import type { Route } from "../router";
import { setTheme, signIn, signOut, useSession, useTheme } from "../state";
import type { Theme } from "../state";

const VIEWS: { view: Route["view"]; href: string; text: string }[] = [
  { view: "board", href: "/", text: "Leaderboard" },
  { view: "query", href: "/query", text: "Query" },
  { view: "ask", href: "/ask", text: "Ask" },
  { view: "profiles", href: "/profiles", text: "Profiles" },
  { view: "insights", href: "/insights", text: "Lessons" },
  { view: "techniques", href: "/techniques", text: "Techniques" },
  { view: "chips", href: "/chips", text: "Chips" },
];
/* The view whose link is marked as current while a detail view is shown. */
const LIST_OF: Partial<Record<Route["view"], Route["view"]>> = { profile: "profiles", chip: "chips", technique: "techniques", insight: "insights" };
const THEMES: Record<Theme, { next: Theme; text: string; sign: string }> = {
  auto: { next: "light", text: "Theme: as the system", sign: "◐" },
  light: { next: "dark", text: "Theme: light", sign: "○" },
  dark: { next: "auto", text: "Theme: dark", sign: "●" },
};

function ThemeButton(): JSX.Element {
  const theme = THEMES[useTheme()];
  return (
    <button type="button" class="quiet theme" title={theme.text} aria-label={theme.text} onClick={() => setTheme(theme.next)}>
      {theme.sign}
    </button>
  );
}

function SignedInAs(): JSX.Element | null {
  const { me, token } = useSession();
  if (token === "") return null;
  return (
    <span class="who">
      {me && (
        <span title={`signed in as ${me.actor}`}>
          {me.actor !== me.role && <>{me.actor} · </>}
          <b>{me.role}</b>
        </span>
      )}
      <button type="button" class="quiet" onClick={() => signOut()}>
        Sign out
      </button>
    </span>
  );
}

export function Shell(props: { route: Route; children: ComponentChildren }): JSX.Element {
  return (
    <>
      <header class="top">
        <a class="brand" href="/">
          Warplore
        </a>
        <nav aria-label="Views">
          {VIEWS.map(({ view, href, text }) => (
            <a key={view} href={href} aria-current={(LIST_OF[props.route.view] ?? props.route.view) === view ? "page" : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <span class="fill" />
        <SignedInAs />
        <ThemeButton />
      </header>
      <main id="main" class={`view-${props.route.view}`}>
        {props.children}
      </main>
    </>
  );
}

export function SignIn(): JSX.Element {
  const { refusal } = useSession();
  const [token, setText] = useState("");
  const [problem, setProblem] = useState(refusal);
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (token.trim() === "") return setProblem("Paste a token first.");
    setBusy(true);
    try {
      await signIn(token.trim());
    } catch (error) {
      setProblem(error instanceof ApiProblem ? `${error.detail} ${error.hint}`.trim() : String(error));
      setBusy(false);
    }
  };
  return (
    <form class="signin" onSubmit={(event) => void submit(event)}>
      <h1>Sign in</h1>
      <p>Paste a token once; this browser keeps it until you sign out.</p>
      <label>
        <span>Token</span>
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="wl_…"
          value={token}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {problem !== "" && (
        <p class="problem-text" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="primary" disabled={busy}>
        {busy ? "Checking…" : "Sign in"}
      </button>
      <p class="muted small">
        No token? The operator of the service creates one: <code>warplored token --data DIR --role reader</code>
      </p>
    </form>
  );
}
