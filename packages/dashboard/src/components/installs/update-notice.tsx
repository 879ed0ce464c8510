import type { TemplateInstall } from '@davit/api';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSearchText } from '../../util/params.ts';
import { whyNotNow } from './status.ts';

export function UpdateNotice({ install }: { install: TemplateInstall }) {
  const forbidden = useForbidden('administer');
  const [, open] = useSearchText('update');
  const { update_available, origin } = install;
  if (update_available === null) return null;
  return (
    <Notice
      action={
        <Button disabledBecause={forbidden ?? whyNotNow(install).update} onClick={() => open('1')}>
          View changes…
        </Button>
      }
    >
      Release <bdi className="font-mono">{update_available}</bdi> is available. Installed:{' '}
      {origin.release ?? 'another release'}.
    </Notice>
  );
}
