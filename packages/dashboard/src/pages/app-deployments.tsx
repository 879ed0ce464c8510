import { count, DEPLOYMENT_STATUSES, type Deployment } from '@davit/api';
import { useAnswer } from '../api.ts';
import { AppFrame } from '../components/app/app-frame.tsx';
import { NeverDeployed } from '../components/app/never-deployed.tsx';
import { matches } from '../components/deployments/changes.ts';
import { DeploymentList } from '../components/deployments/deployment-list.tsx';
import { type Earlier, useEarlier } from '../earlier.ts';
import { Card, Empty } from '../ui/card.tsx';
import { CompactSelect } from '../ui/compact-select.tsx';
import { FilterField } from '../ui/filter-field.tsx';
import { ShowEarlier } from '../ui/show-earlier.tsx';
import { useAppPath, useSearchText } from '../util/params.ts';

const STATUSES = [
  { value: '', label: 'any status' },
  ...DEPLOYMENT_STATUSES.map((status) => ({ value: status, label: status })),
];

export function Page() {
  const params = useAppPath();
  const app = useAnswer('getApp', { params });
  const list = useEarlier('listDeployments', { params });
  return <AppFrame>{list.items.length === 0 ? <NeverDeployed app={app} /> : <Listed list={list} />}</AppFrame>;
}

function Listed({ list }: { list: Earlier<Deployment> }) {
  const deployments = list.items;
  const [status, setStatus] = useSearchText('status');
  const [text, setText] = useSearchText('q');
  const shown = deployments.filter((one) => matches(one, { status, text }));
  return (
    <Card
      title="Deployments"
      description={shown.length < deployments.length ? `${shown.length} of ${deployments.length} shown` : undefined}
      actions={
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
          <CompactSelect
            label="Status"
            value={status ?? ''}
            options={STATUSES}
            onChange={(value) => setStatus(value || null)}
          />
          <FilterField label="Filter by tag, digest or user" text={text} onChange={setText} />
        </div>
      }
    >
      {shown.length > 0 && <DeploymentList deployments={shown} />}
      {shown.length === 0 && (
        <Empty title="No matching deployments">
          <p>
            {count(deployments.length, 'deployment')} on this page do not match the filter.
            {list.showEarlier && ' To search older deployments too, choose “Show earlier”.'}
          </p>
        </Empty>
      )}
      <ShowEarlier of={list} />
    </Card>
  );
}
