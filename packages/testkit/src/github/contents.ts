import { errorAnswer, type GitHubAnswer, jsonAnswer } from './answer.ts';
import type { SimulatedEntry, SimulatedGitHubState, SimulatedRepository } from './state.ts';

const PAGE = 'rest/repos/contents#get-repository-content';
const BY_NAME = /^\/repos\/([^/]+)\/([^/]+)\/contents\/(.+)$/;
const BY_ID = /^\/repositories\/(\d+)\/contents\/(.+)$/;

/**
 * Responds to `GET /repos/{owner}/{repo}/contents/{path}` of the simulated GitHub. The response is the raw file or
 * JSON. Returns `null` for any other path.
 */
export function contents(state: SimulatedGitHubState, url: URL, accept: string, origin: string): GitHubAnswer | null {
  const byId = BY_ID.exec(url.pathname);
  if (byId) {
    const [, id = '', path = ''] = byId;
    return entryAnswer(state.visible(Number(id)), decodeURIComponent(path), url, accept);
  }
  const byName = BY_NAME.exec(url.pathname);
  if (!byName) return null;
  const [, owner = '', name = '', path = ''] = byName.map((part) => decodeURIComponent(part));
  const found = state.named(owner, name);
  if (found) return entryAnswer(state.visible(found.id), path, url, accept);
  const moved = state.formerlyNamed(owner, name);
  if (!moved) return errorAnswer(404, 'Not Found', PAGE);
  const location = `${origin}/repositories/${moved.id}/contents/${path}${url.search}`;
  const document = {
    message: 'Moved Permanently',
    url: location,
    documentation_url: `https://docs.github.com/${PAGE}`,
  };
  return jsonAnswer(301, document, { location });
}

function entryAnswer(
  repository: SimulatedRepository | undefined,
  path: string,
  url: URL,
  accept: string,
): GitHubAnswer {
  if (!repository) return errorAnswer(404, 'Not Found', PAGE);
  if (repository.forbidden) return errorAnswer(403, 'Resource not accessible by personal access token', PAGE);
  const ref = url.searchParams.get('ref') ?? '';
  const files = repository.files.get(ref);
  if (!files) return errorAnswer(404, `No commit found for the ref ${ref}`, PAGE);
  const entry = files[path];
  if (entry === undefined) return errorAnswer(404, 'Not Found', PAGE);
  return fileAnswer(entry, path, accept);
}

function fileAnswer(entry: SimulatedEntry, path: string, accept: string): GitHubAnswer {
  if (typeof entry === 'object' && 'kind' in entry) {
    if (entry.kind === 'submodule') return jsonAnswer(200, { type: 'submodule', name: path, path, size: 0 });
    return jsonAnswer(200, [{ type: 'file', name: 'inside', path: `${path}/inside`, size: 0 }]);
  }
  const bytes = Buffer.from(entry);
  if (/application\/vnd\.github(?:\.v3)?\.raw/.test(accept)) {
    // Add a charset to the content type of every file, as the real GitHub does.
    const headers = { 'content-type': 'application/vnd.github.raw+json; charset=utf-8' };
    return { status: 200, headers, body: bytes };
  }
  const content = bytes.toString('base64');
  return jsonAnswer(200, { type: 'file', encoding: 'base64', size: bytes.length, name: path, path, content });
}
