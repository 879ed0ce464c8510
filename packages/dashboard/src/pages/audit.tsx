import { useSearch } from '@tanstack/react-router';
import { query, useAnswer } from '../api.ts';
import { mayAdminister } from '../components/admin/may.ts';
import { NotForYou } from '../components/admin/not-for-you.tsx';
import { ExportMenu, useVerify, Verified, VerifyButton } from '../components/audit/actions.tsx';
import { ClearFilters, FilterForm } from '../components/audit/filter-form.tsx';
import { auditQuery, FILTERS } from '../components/audit/filters.ts';
import { AuditRows } from '../components/audit/rows.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { Button } from '../ui/button.tsx';
import { Card, Empty } from '../ui/card.tsx';
import { useSearchText } from '../util/params.ts';

export async function load({ queries, search }: LoadArgs) {
  if (!(await mayAdminister(queries))) return;
  await Promise.all([
    /*
     * Fetch the audit log each time. The audit log changes with nearly every request, and the server sends no event for
     * these changes.
     */
    queries.fetchQuery({ ...query('listAudit', { query: auditQuery(search) }), staleTime: 0 }),
    queries.ensureQueryData(query('listUsers')),
  ]);
}

export function Page() {
  const forbidden = useForbidden('administer');
  if (forbidden === null) return <Log />;
  return (
    <Frame title="Audit log">
      <NotForYou what="the audit log" reason={forbidden} />
    </Frame>
  );
}

function Log() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const request = auditQuery(search);
  const { events, next } = useAnswer('listAudit', { query: request });
  const verify = useVerify();
  const isFiltered = FILTERS.some((name) => request[name] !== undefined);
  return (
    <Frame
      title="Audit log"
      actions={
        <>
          <VerifyButton verify={verify} />
          <ExportMenu ask={request} />
        </>
      }
    >
      <p className="-mt-2 text-sm text-soft">
        All requests that changed something and all refused requests. A hash chain makes later changes of the log
        detectable.
      </p>
      <Verified verify={verify} />
      <Card>
        <div className="flex flex-col gap-4">
          <FilterForm />
          <AuditRows events={events} empty={<Nothing isFiltered={isFiltered} />} />
          <Pages next={next} isFiltered={isFiltered} />
        </div>
      </Card>
    </Frame>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) return <Empty title="No older entries" />;
  return (
    <Empty title="No matching entries">
      <p>
        Enter complete names in the target filter. For example, “shop” finds “shop/production/web”, but “sho” finds
        nothing.
      </p>
    </Empty>
  );
}

/**
 * Renders the links to other pages of the audit log. The URL contains the id of an entry instead of a page number,
 * because new entries move older entries to other pages.
 */
function Pages({ next, isFiltered }: { next: number | null; isFiltered: boolean }) {
  const [before, setBefore] = useSearchText('before');
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <div>{isFiltered && <ClearFilters />}</div>
      <div className="flex gap-2">
        <Button
          disabledBecause={before === null ? 'This page shows the newest entries.' : null}
          onClick={() => setBefore(null)}
        >
          Newest
        </Button>
        <Button
          disabledBecause={next === null ? 'There are no older entries.' : null}
          onClick={() => setBefore(String(next))}
        >
          Older
        </Button>
      </div>
    </div>
  );
}
