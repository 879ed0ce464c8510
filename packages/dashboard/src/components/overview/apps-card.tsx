import type { App } from '@davit/api';
import { useDeferredValue, useMemo } from 'react';
import { Card } from '../../ui/card.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { useSearchText } from '../../util/params.ts';
import { AppRows } from '../apps/app-rows.tsx';
import { useAllFigures, useMetricEvents } from '../apps/figures.ts';
import { APP_ORDERS, type AppOrder, inOrder, matching } from './app-order.ts';

const ORDERS: Record<AppOrder, string> = {
  worst: 'Problems first',
  name: 'By name',
  requests: 'Most requests first',
  cpu: 'Most CPU first',
  memory: 'Most memory first',
};

export function AppsCard({ apps }: { apps: readonly App[] }) {
  const [text, setText] = useSearchText('filter');
  const [orderText, setOrder] = useSearchText('order');
  const order = APP_ORDERS.find((one) => one === orderText) ?? 'worst';
  useMetricEvents();
  const figuresOf = useAllFigures(order === 'requests' || order === 'cpu' || order === 'memory');
  const filter = useDeferredValue(text ?? '');
  const shown = useMemo(() => inOrder(matching(apps, filter), order, figuresOf), [apps, filter, order, figuresOf]);
  return (
    <Card
      title="Apps"
      actions={
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
          <FilterField label="Filter apps" text={text} onChange={setText} />
          <OrderChoice order={order} onChange={(next) => setOrder(next === 'worst' ? null : next)} />
        </div>
      }
    >
      {shown.length === 0 ? (
        <p className="px-3 py-6 text-center text-sm text-soft">No app with “{filter}” in the name, status or tag.</p>
      ) : (
        <div className="-mx-3">
          <AppRows apps={shown} label="Apps" />
        </div>
      )}
    </Card>
  );
}

function OrderChoice({ order, onChange }: { order: AppOrder; onChange: (order: AppOrder) => void }) {
  return (
    <select
      aria-label="Sort apps"
      value={order}
      onChange={(event) => onChange(event.target.value as AppOrder)}
      className="min-h-9 rounded-md border border-edge/70 bg-panel px-2 text-sm"
    >
      {APP_ORDERS.map((one) => (
        <option key={one} value={one}>
          {ORDERS[one]}
        </option>
      ))}
    </select>
  );
}
