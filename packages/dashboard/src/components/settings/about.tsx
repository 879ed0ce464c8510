import { bytes, count, type Instance } from '@davit/api';
import { useAnswer } from '../../api.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PlatformImages } from './platform-images.tsx';

const ENGINES: Record<Instance['engine']['kind'], string> = { docker: 'Docker', memory: 'Simulated' };

export function About() {
  const instance = useAnswer('getInstance');
  const { id, version, engine, domain, ports, limits, disk, warnings } = instance;
  return (
    <>
      {warnings.map((warning) => (
        <Notice key={warning} tone="warning">
          {warning}
        </Notice>
      ))}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title="This instance">
          <Facts
            rows={[
              ['Davit', <Copyable key="version" text={version} />],
              ['ID', <Copyable key="id" text={id} />],
              ['Domain', <Copyable key="domain" text={domain} />],
              ['Ports', `HTTP ${ports.http}, HTTPS ${ports.https}, registry ${ports.registry}`],
              [
                'API',
                <a key="api" href="/docs" className="text-accent underline underline-offset-2">
                  reference
                </a>,
              ],
            ]}
          />
        </Card>
        <Card title="Health">
          <Facts
            rows={[
              ['Container engine', <Engine key="engine" engine={engine} />],
              ['Disk', <Disk key="disk" disk={disk} />],
              ['Warnings', warnings.length === 0 ? 'none' : String(warnings.length)],
            ]}
          />
        </Card>
        <PlatformImages />
        <Card title="Limits" description="Fixed limits for deployments and requests. You cannot change them.">
          <Facts
            rows={[
              ['Image pull', `at most ${count(limits.pull_s / 60, 'minute')}`],
              ['Release command', `at most ${count(limits.release_command_s / 60, 'minute')}`],
              ['Replicas of an app', `at most ${limits.scale}`],
              ['Length of a name', `at most ${limits.slug_length} characters`],
              ['Size of a request', `at most ${bytes(limits.body_bytes)}`],
            ]}
          />
        </Card>
      </div>
    </>
  );
}

function Engine({ engine: { kind, version, available, simulated } }: { engine: Instance['engine'] }) {
  const name = version === null || simulated ? ENGINES[kind] : `${ENGINES[kind]} ${version}`;
  return (
    <>
      {name},{' '}
      <span className={available ? 'text-good' : 'text-error'}>{available ? 'connected' : 'not responding'}</span>
      {simulated && <p className="text-soft">This instance simulates Docker for tests. No containers are running.</p>}
    </>
  );
}

const DISK_WORDS: Record<NonNullable<Instance['disk']>['state'], readonly [tone: string, words: string]> = {
  ok: ['text-good', 'OK'],
  warning: ['text-warning', 'almost full'],
  refusing: ['text-error', 'disk full: Davit refuses deployments'],
};

function Disk({ disk }: { disk: Instance['disk'] }) {
  if (disk === null) return <span className="text-soft">not measured yet</span>;
  const { path, total_bytes, free_bytes, state } = disk;
  const [tone, words] = DISK_WORDS[state];
  const used = Math.round(((total_bytes - free_bytes) / Math.max(total_bytes, 1)) * 100);
  return (
    <>
      <span className={tone}>{words}</span>, {used} % used, {bytes(free_bytes)} of {bytes(total_bytes)} free
      <p className="font-mono text-xs break-all text-soft">{path}</p>
    </>
  );
}
