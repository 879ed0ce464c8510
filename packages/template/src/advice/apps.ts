import type { DraftApp } from '../draft.ts';
import type { Scope } from '../meaning/scope.ts';
import { parseImageName } from '../rules/image.ts';
import { excerpt } from '../shape/words.ts';

export function adviseApps(scope: Scope): void {
  const referredTo = appsReferredTo(scope);
  for (const [index, app] of scope.draft.apps.entries()) adviseApp(scope, app, index, referredTo);
}

function adviseApp({ warning, info }: Scope, app: DraftApp, index: number, referredTo: ReadonlySet<string>): void {
  const path = ['apps', index];
  const at = [...path, 'key'];
  const isWorker = app.worker === true;
  if (app.health === undefined && !isWorker) {
    const message = `${excerpt(app.key)} has no \`health\`, so it is ready as soon as its port is open.`;
    warning('advice.no-health', at, message, 'Set `health` to a path that returns status 200.');
  }
  // An image with a digest never changes, so it needs no tag.
  if (app.image !== undefined && app.tag === undefined && parseImageName(app.image)?.digest === undefined) {
    const message = `Without a tag, ${excerpt(app.image)} can change between two installations.`;
    warning('advice.floating-tag', [...path, 'image'], message, 'Set `tag` to a version.');
  }
  if (app.image !== undefined && !app.image.includes('/')) {
    const message = `${excerpt(app.image)} comes from Docker Hub, which limits the number of pulls.`;
    info('advice.dockerhub', [...path, 'image'], message);
  }
  if (app.limits === undefined) {
    const message = `${excerpt(app.key)} has no \`limits\`, so it can use all CPU and memory of the server.`;
    warning('advice.no-limits', at, message, 'Set `limits`, or `limits: {}` for no limits.');
  }
  if ((app.domains ?? []).length === 0 && !isWorker && !referredTo.has(app.key)) {
    const message = `${excerpt(app.key)} has no domain, and no variable refers to it, so nothing can connect to it.`;
    warning('advice.unreachable-app', at, message, `Add a domain, or refer to \`\${app.${app.key}.internal}\`.`);
  }
}

/**
 * Returns the apps to which texts of a template refer. An app can also refer to itself. References in domains and TCP
 * ports are ignored, as in the older platform Cubeship.
 */
function appsReferredTo({ texts }: Scope): Set<string> {
  const references = texts.filter(({ place: keyKind }) => keyKind !== 'host').flatMap((text) => text.references);
  return new Set(references.flatMap(({ kind, key }) => (kind === 'app' ? [key] : [])));
}
