/* A version and its source files. Blobs need the token, so a file is fetched on demand and shown as
 * text, or handed over as a download. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiProblem, getBlob, getJson } from "../api";
import { download } from "../csv";
import { bytes, shortId, versionName, words } from "../format";
import { member, object } from "../record";
import { useAnswer } from "../state";
import type { VersionFull } from "../types";
import { Facts } from "./facts";

const SHOWN_BYTES = 400_000; /* more text than this makes the page slow; it can be downloaded */

function SourceFile(props: { file: { file: string; blob: string; bytes?: number } }): JSX.Element {
  const { file } = props;
  const [shown, setShown] = useState<string | null>(null);
  const [problem, setProblem] = useState("");
  const fetchBlob = async (use: (blob: Blob) => Promise<void>): Promise<void> => {
    try {
      setProblem("");
      await use(await getBlob(`/api/v1/blobs/${encodeURIComponent(file.blob)}`));
    } catch (error) {
      setProblem(error instanceof ApiProblem ? error.detail : String(error));
    }
  };
  const show = (): Promise<void> => fetchBlob(async (blob) => setShown((await blob.text()).slice(0, SHOWN_BYTES)));
  const save = (): Promise<void> => fetchBlob(async (blob) => download(file.file.split("/").pop() ?? "source", "application/octet-stream", await blob.arrayBuffer()));
  return (
    <li>
      <button type="button" class="link" aria-expanded={shown !== null} onClick={() => (shown === null ? void show() : setShown(null))}>
        {file.file}
      </button>{" "}
      <span class="muted small">{bytes(file.bytes)}</span>{" "}
      <button type="button" class="quiet small" onClick={() => void save()}>
        Download
      </button>
      {problem !== "" && <span class="problem-text small"> {problem}</span>}
      {shown !== null && <pre class="code">{shown}</pre>}
    </li>
  );
}

export function VersionBox(props: { title: string; id: string | null | undefined }): JSX.Element | null {
  const { title, id } = props;
  const url = id ? `/api/v1/versions/${encodeURIComponent(id)}` : null;
  const answer = useAnswer<VersionFull>(url, (signal) => getJson(url ?? "", signal));
  if (!id) return null;
  const version = answer.data;
  const files = version?.files ?? [];
  return (
    <div class="version">
      <h3>
        {title}: <b>{version ? versionName(version) : shortId(id)}</b> {version?.kind && <span class="muted small">{words(version.kind)}</span>}
      </h3>
      {version?.summary && <p>{version.summary}</p>}
      {answer.error && <p class="problem-text small">{answer.error.detail}</p>}
      {version && <Facts rows={Object.entries(object(member(version.record, "params"))).map(([name, value]) => [name, String(value)])} />}
      {files.length > 0 ? (
        <ul class="files">
          {files.map((file) => (
            <SourceFile key={file.file} file={file} />
          ))}
        </ul>
      ) : (
        version && <p class="muted small">No source was recorded.</p>
      )}
      <p class="small">
        <a href={`/query?version=${encodeURIComponent(id)}`}>experiments with this version</a>
      </p>
    </div>
  );
}
