import type { App } from '@davit/api';
import { useSearchChange, useSearchText } from '../../util/params.ts';
import { DeployDialog } from './deploy-dialog.tsx';
import { RestartDialog, StopDialog } from './power-dialogs.tsx';
import { PromoteAppDialog } from './promote-app-dialog.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';

const CLOSED = { deploy: null, tag: null, rollback: null, promote: null, from: null, restart: null, stop: null };

/** The form that is open over an app's page, as the address says; none where none is. */
export function AppDialogs({ app }: { app: App }) {
  const [deploy] = useSearchText('deploy');
  const [rollback, setRollback] = useSearchText('rollback');
  const [promote] = useSearchText('promote');
  const [restart] = useSearchText('restart');
  const [stop] = useSearchText('stop');
  const change = useSearchChange();
  const onClose = () => change(CLOSED);
  if (deploy !== null) return <DeployDialog app={app} onClose={onClose} />;
  if (rollback !== null) return <RollbackDialog app={app} chosen={rollback} onChoose={setRollback} onClose={onClose} />;
  if (promote !== null) return <PromoteAppDialog app={app} onClose={onClose} />;
  if (restart !== null) return <RestartDialog app={app} onClose={onClose} />;
  return stop === null ? null : <StopDialog app={app} onClose={onClose} />;
}
