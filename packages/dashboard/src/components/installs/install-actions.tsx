import type { TemplateInstall } from '@davit/api';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { useSearchChange, useSearchText } from '../../util/params.ts';
import { RollbackInstall } from './rollback-install.tsx';
import { whyNotNow } from './status.ts';
import { UninstallDialog } from './uninstall-dialog.tsx';
import { UpdateDialog } from './update-dialog.tsx';
import { UpdateFromFile } from './update-from-file.tsx';

export function InstallActions({ install }: { install: TemplateInstall }) {
  const forbidden = useForbidden('administer');
  const not = whyNotNow(install);
  const change = useSearchChange();
  const [update] = useSearchText('update');
  const [rollback] = useSearchText('rollback');
  const [uninstall] = useSearchText('uninstall');
  const onClose = () => change({ update: null, release: null, rollback: null, uninstall: null });
  const onBegun = (task: number) =>
    change({ update: null, release: null, rollback: null, uninstall: null, run: String(task) });
  const may = forbidden === null;
  const Update = install.origin.kind === 'file' ? UpdateFromFile : UpdateDialog;
  return (
    <>
      <Button kind="quiet" disabledBecause={forbidden ?? not.uninstall} onClick={() => change({ uninstall: '1' })}>
        Uninstall…
      </Button>
      <Button disabledBecause={forbidden ?? not.rollback} onClick={() => change({ rollback: '1' })}>
        Roll back…
      </Button>
      <Button
        kind={install.update_available === null ? 'plain' : 'primary'}
        disabledBecause={forbidden ?? not.update}
        onClick={() => change({ update: '1' })}
      >
        Update…
      </Button>
      {update !== null && may && not.update === null && (
        <Update install={install} onBegun={onBegun} onClose={onClose} />
      )}
      {rollback !== null && may && <RollbackInstall install={install} onBegun={onBegun} onClose={onClose} />}
      {uninstall !== null && may && <UninstallDialog install={install} onBegun={onBegun} onClose={onClose} />}
    </>
  );
}
