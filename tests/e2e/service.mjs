/* A warplored of our own: loads FILES into a new data directory, makes a token, listens on a free port
 * of 127.0.0.1, and stops with SIGTERM. Waiting is on its answers, never on the clock alone. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function untilUp(base, child, seconds) {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`warplored ended with ${child.exitCode}`);
    const answer = await fetch(`${base}/healthz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`warplored did not answer within ${seconds} s`);
}

function makeToken(warplored, data, role) {
  const said = execFileSync(warplored, ["token", "--data", data, "--role", role], { encoding: "utf8" });
  const token = said.match(/wl_\S+/)?.[0];
  if (!token) throw new Error("warplored token printed no token");
  return token;
}

/* Load the files and answer the tokens of a reader and a contributor. */
function prepare(warplored, data, files) {
  execFileSync(warplored, ["load", "--data", data, ...files], { stdio: ["ignore", "ignore", "inherit"] });
  return ["reader", "contributor"].map((role) => makeToken(warplored, data, role));
}

export async function startService(warplored, files) {
  const data = mkdtempSync(join(tmpdir(), "warplore-e2e-"));
  const forget = () => rmSync(data, { recursive: true, force: true });
  let token;
  let contributor;
  try {
    [token, contributor] = prepare(warplored, data, files);
  } catch (error) {
    forget();
    throw error;
  }
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const child = spawn(warplored, ["--data", data, "--listen", `127.0.0.1:${port}`, "--as-root"], { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.on("data", (chunk) => (log += chunk));
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const stop = async () => {
    child.kill("SIGTERM");
    const code = await ended;
    forget();
    return code;
  };
  try {
    await untilUp(base, child, 60);
  } catch (error) {
    await stop();
    throw new Error(`${error.message}\n${log}`);
  }
  return { base, token, contributor, stop, log: () => log };
}
