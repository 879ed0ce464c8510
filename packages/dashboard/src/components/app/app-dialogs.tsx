import type { App } from '@davit/api';
import { useSearchChange, useSearchText } from '../../util/params.ts';
import { DeployDialog } from './deploy-dialog.tsx';
import { useOpenForm } from './open-form.ts';
import { RestartDialog, StopDialog } from './power-dialogs.tsx';
import { PromoteAppDialog } from './promote-app-dialog.tsx';
import { PREVIOUS, RollbackDialog } from './rollback-dialog.tsx';

const CLOSED = { deploy: null, tag: null, rollback: null, promote: null, from: null, restart: null, stop: null };

/** Renders the dialog that the URL opens over an app page. Renders nothing if the URL opens no dialog. */
export function AppDialogs({ app }: { app: App }) {
  const form = useOpenForm();
  const [rollback, setRollback] = useSearchText('rollback');
  const change = useSearchChange();
  const onClose = () => change(CLOSED);
  switch (form) {
    case 'deploy':
      return <DeployDialog app={app} onClose={onClose} />;
    case 'rollback':
      return <RollbackDialog app={app} chosen={rollback ?? PREVIOUS} onChoose={setRollback} onClose={onClose} />;
    case 'promote':
      return <PromoteAppDialog app={app} onClose={onClose} />;
    case 'restart':
      return <RestartDialog app={app} onClose={onClose} />;
    case 'stop':
      return <StopDialog app={app} onClose={onClose} />;
    case null:
      return null;
  }
}
