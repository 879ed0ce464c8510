import type { App } from '@davit/api';

/**
 * Renders the part of a confirmation dialog that says which data the deletion of an environment deletes and keeps. The
 * deletion of a project has other effects, because it moves volumes to the trash.
 */
export function Goes({ apps, what }: { apps: readonly App[]; what: string }) {
  const kept = apps.reduce((count, { volumes }) => count + volumes.length, 0);
  const running = apps.filter(({ live_deployment, status }) => live_deployment !== null && status !== 'stopped').length;
  return (
    <>
      <p>This permanently deletes {what}. This cannot be undone.</p>
      {apps.length > 0 ? (
        <div>
          <p>
            This also deletes {apps.length === 1 ? 'the only app' : `all ${apps.length} apps`}{' '}
            {running > 0 && ` (${running} running)`} with settings, deployments, logs and domains:
          </p>
          <ul className="mt-1 max-h-40 list-disc overflow-y-auto pl-5">
            {apps.map(({ reference }) => (
              <li key={reference}>
                <code className="font-mono text-[0.8125rem]">{reference}</code>
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <p>There are no apps.</p>
      )}
      <p>{kept === 0 ? 'There are no volumes.' : `These volumes are kept with their data: ${kept}.`}</p>
    </>
  );
}
