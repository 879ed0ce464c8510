import { type App, isExampleApp, type ProjectDeletion } from '@davit/api';

/**
 * Returns the example app that Davit deployed at its first start. Returns `undefined` if the example app does not
 * exist.
 */
export function exampleOf(apps: readonly App[]): App | undefined {
  return apps.find(isExampleApp);
}

/**
 * Returns whether a project contains only one environment with the given app, and nothing that a user added. Volumes of
 * the app are ignored, because they move to the trash together with the app.
 */
export function isOnlyFor(deletion: ProjectDeletion, reference: string): boolean {
  const { environments, apps, unused_volumes, databases, object_stores, template_installs, registries } = deletion;
  const { kept_backups, members } = deletion;
  const others = [unused_volumes, databases, object_stores, kept_backups, template_installs, registries, members];
  return (
    environments.length === 1 &&
    apps.length === 1 &&
    apps[0]?.reference === reference &&
    others.every((list) => list.length === 0) &&
    deletion.variables === 0 &&
    !deletion.has_quota
  );
}
