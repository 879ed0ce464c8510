import type { App } from '@davit/api';

/** Lists what the deletion of several apps removes, and what stays. */
export function Goes({ apps, what }: { apps: readonly App[]; what: string }) {
  const kept = apps.reduce((count, { volumes }) => count + volumes.length, 0);
  const running = apps.filter(({ live_deployment, status }) => live_deployment !== null && status !== 'stopped').length;
  return (
    <>
      <p>Gone for good: {what}.</p>
      {apps.length > 0 ? (
        <div>
          <p>
            And {apps.length === 1 ? 'its only app' : `its ${apps.length} apps`}
            {running > 0 && `, of which ${running === 1 ? 'one runs' : `${running} run`} now`}, with settings,
            deployments, logs and domains:
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
        <p>There are no apps in it.</p>
      )}
      <p>{kept === 0 ? 'There are no volumes.' : `Volumes are kept with their data: ${kept}.`}</p>
    </>
  );
}
