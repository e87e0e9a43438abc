/* Start: theme first (no flash), then the token from the address or from storage, then the view
 * that the address names. */
import { render } from "preact";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Keys } from "./parts/keys";
import { Empty } from "./parts/notice";
import { Shell, SignIn } from "./parts/shell";
import { matchRoute, startRouter, useLocation } from "./router";
import type { Route } from "./router";
import { startSession, startTheme, useSession } from "./state";
import { Ask } from "./views/ask";
import { Board } from "./views/board";
import { ChipView } from "./views/chip";
import { Chips } from "./views/chips";
import { CompareView } from "./views/compare";
import { ExperimentView } from "./views/experiment";
import { InsightView, Insights } from "./views/insights";
import { KernelView } from "./views/kernel";
import { ProfileView, Profiles } from "./views/profile";
import { Query } from "./views/query";
import { RunView } from "./views/run";
import { SweepView } from "./views/sweep";
import { TechniqueView } from "./views/technique";
import { Techniques } from "./views/techniques";

const TITLES: Record<Route["view"], string> = {
  board: "Leaderboard",
  query: "Query",
  ask: "Ask",
  experiment: "Experiment",
  run: "Run",
  sweep: "Sweep",
  profiles: "Profiles",
  profile: "Profile",
  kernel: "Kernel",
  chips: "Chips",
  chip: "Chip",
  techniques: "Techniques",
  technique: "Technique",
  insights: "Lessons",
  insight: "Lesson",
  compare: "Compare",
  nowhere: "Not found",
};

function View(props: { route: Route }): JSX.Element {
  const { route } = props;
  switch (route.view) {
    case "board":
      return <Board />;
    case "query":
      return <Query />;
    case "ask":
      return <Ask />;
    case "experiment":
      return <ExperimentView id={route.id} key={route.id} />;
    case "run":
      return <RunView id={route.id} key={route.id} />;
    case "sweep":
      return <SweepView id={route.id} key={route.id} />;
    case "profiles":
      return <Profiles />;
    case "profile":
      return <ProfileView id={route.id} key={route.id} />;
    case "kernel":
      return <KernelView id={route.id} key={route.id} />;
    case "chips":
      return <Chips />;
    case "chip":
      return <ChipView name={route.id} key={route.id} />;
    case "techniques":
      return <Techniques />;
    case "technique":
      return <TechniqueView slug={route.id} key={route.id} />;
    case "insights":
      return <Insights />;
    case "insight":
      return <InsightView id={route.id} key={route.id} />;
    case "compare":
      return <CompareView a={route.id} b={route.other} key={`${route.id} ${route.other}`} />;
    case "nowhere":
      return (
        <Empty title="There is no such page.">
          <p>
            Go to the <a href="/">leaderboard</a>.
          </p>
        </Empty>
      );
  }
}

function Page(): JSX.Element {
  const route = matchRoute(useLocation().path);
  const { token } = useSession();
  useEffect(() => {
    document.title = `${TITLES[route.view]} · Warplore`;
  }, [route.view]);
  return (
    <Shell route={route}>
      {token === "" ? <SignIn /> : <View route={route} key={token} />}
      <Keys />
    </Shell>
  );
}

startTheme();
startRouter();
startSession();
const root = document.getElementById("page");
if (root) render(<Page />, root);
