import type { Instance, PlatformImage } from '@davit/api';
import { useAnswer, useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { Time } from '../../ui/time.tsx';
import { sayProblem } from '../../ui/toast.tsx';
import { useNotForAll } from '../admin/not-for-all.ts';

/**
 * Lists the container images that Davit builds. Each row shows when Davit last checked the packages of the image for
 * updates.
 */
export function PlatformImages() {
  const { platform_images: images, platform_check: state } = useAnswer('getInstance');
  const forbidden = useNotForAll('check for security updates');
  const check = useCall('checkPlatformImages', { changes: ['getInstance'] });
  return (
    <Card
      title="Platform images"
      description="Images of the proxy, the registry, the DNS resolver and the databases. Davit builds these images from packages of the Linux distribution of the server."
      actions={
        <Button
          busy={check.isPending || state.running}
          disabledBecause={forbidden}
          onClick={() => check.mutate({}, { onError: sayProblem })}
        >
          Check for updates
        </Button>
      }
    >
      <Facts
        rows={[
          ['Daily check', <DailyCheck key="check" state={state} />],
          ...images.map((image) => [image.name, <Packages key={image.name} image={image} />] as const),
        ]}
      />
    </Card>
  );
}

function DailyCheck({ state: { enabled, failure } }: { state: Instance['platform_check'] }) {
  return (
    <>
      {enabled ? 'on' : <span className="text-warning">off, no automatic updates</span>}
      {failure && (
        <p className="text-error">
          failed <Time at={failure.at} />
        </p>
      )}
    </>
  );
}

/**
 * Shows the packages in a container image. The package with the image's name defines the version of the image. The
 * other packages are libraries and tools.
 */
function Packages({ image: { name, packages, built_at, checked_at, update } }: { image: PlatformImage }) {
  const [main = null] = [...packages].sort((a, b) => Number(b.name.includes(name)) - Number(a.name.includes(name)));
  return (
    <>
      {main === null ? 'version unknown' : main.version}
      {update !== null && <span className="text-warning">, {UPDATES[update.state]}</span>}
      <p className="text-soft">
        {checked_at === null ? (
          <>
            never checked, built <Time at={built_at} />
          </>
        ) : (
          <>
            checked <Time at={checked_at} />
          </>
        )}
      </p>
    </>
  );
}

const UPDATES: Record<NonNullable<PlatformImage['update']>['state'], string> = {
  building: 'update in progress',
  rolling_out: 'update in progress',
  waiting: 'update waits for the maintenance window',
  kept_back: 'the updated image does not work on this server',
};
