import { count, grouped } from '@davit/api';
import { useMutation } from '@tanstack/react-query';
import { ChevronDown, Download, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say, sayProblem } from '../../ui/toast.tsx';
import { type ExportFormat, MOST_EXPORTED, readAll, saveRows } from './export.ts';
import type { AuditRequest } from './filters.ts';

/** Renders the menu that exports the filtered entries of the audit log as a file. */
export function ExportMenu({ ask: request }: { ask: AuditRequest }) {
  const [read, setRead] = useState(0);
  const save = useMutation({
    mutationFn: async (format: ExportFormat) => {
      const { rows, cut } = await readAll(request, setRead);
      saveRows(rows, format);
      return cut
        ? `Exported the newest ${grouped(MOST_EXPORTED)} entries. Use narrower filters to export the other entries.`
        : `Exported ${count(rows.length, 'entry', 'entries')}.`;
    },
    onSuccess: say,
    onError: sayProblem,
    onSettled: () => setRead(0),
  });
  const items = [
    { label: 'As CSV', onSelect: () => save.mutate('csv') },
    { label: 'As JSON', onSelect: () => save.mutate('json') },
  ];
  return (
    <Menu
      items={items}
      trigger={
        <Button busy={save.isPending}>
          <Download className="size-4" aria-hidden />
          {save.isPending && read > 0 ? `${count(read, 'entry', 'entries')}…` : 'Export'}
          <ChevronDown className="size-4" aria-hidden />
        </Button>
      }
    />
  );
}

export function useVerify() {
  return useCall('verifyAudit');
}

export function VerifyButton({ verify }: { verify: ReturnType<typeof useVerify> }) {
  return (
    <Button busy={verify.isPending} onClick={() => verify.mutate({})}>
      <ShieldCheck className="size-4" aria-hidden /> Verify log{' '}
    </Button>
  );
}

/** Shows whether the audit log was changed outside of Davit. */
export function Verified({ verify: { data, error } }: { verify: ReturnType<typeof useVerify> }) {
  if (error) return <Problem error={error} />;
  if (data === undefined) return null;
  const rows = `${count(data.checked, 'entry', 'entries')} checked`;
  return (
    <Notice tone={data.ok ? 'good' : 'error'}>
      <p>
        {data.ok
          ? `${rows}. The log is intact.`
          : `${rows}. Entry ${data.broken_at} is missing or does not match its hash. The log was changed outside Davit.`}
      </p>
      {data.head !== '' && (
        <p className="mt-1 flex flex-wrap items-center gap-x-2 text-xs">
          Hash of the newest entry. Store it outside this server for later comparisons: <Copyable text={data.head} />
        </p>
      )}
    </Notice>
  );
}
