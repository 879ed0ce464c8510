import { EllipsisVertical, Play, RotateCw, Square } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { say } from '../../ui/toast.tsx';
import { useBegin, useDatabase } from './use-database.ts';

export function DatabaseActions() {
  const { database, not } = useDatabase();
  const [openDialog, setOpenDialog] = useState<'stop' | 'restart' | null>(null);
  const start = useBegin('startDatabase');
  const backUp = useBegin('backUpDatabase', () => say('Started a backup. It appears under “Backups”.'));
  const icon = 'size-4';
  const onClose = () => setOpenDialog(null);
  const items = [
    {
      label: 'Start',
      icon: <Play className={icon} aria-hidden />,
      onSelect: start.press,
      disabledBecause: not.start,
    },
    {
      label: 'Restart…',
      icon: <RotateCw className={icon} aria-hidden />,
      onSelect: () => setOpenDialog('restart'),
      disabledBecause: not.restart,
    },
    {
      label: 'Stop…',
      icon: <Square className={icon} aria-hidden />,
      onSelect: () => setOpenDialog('stop'),
      disabledBecause: not.stop,
    },
  ];
  return (
    <>
      <Button busy={backUp.busy} disabledBecause={not.backUp} onClick={backUp.press}>
        Back up now
      </Button>
      <Menu
        items={items}
        trigger={
          <Button aria-label={`More for ${database.name}`} className="px-2">
            <EllipsisVertical className={icon} aria-hidden />
          </Button>
        }
      />
      {openDialog === 'stop' && <Stop onClose={onClose} />}
      {openDialog === 'restart' && <Restart onClose={onClose} />}
    </>
  );
}

function Stop({ onClose }: { onClose: () => void }) {
  const { database } = useDatabase();
  const stop = useBegin('stopDatabase', onClose);
  const apps = database.used_by;
  return (
    <FormDialog
      title={`Stop ${database.name}?`}
      description="Apps cannot connect until you start the database. Its data is kept."
      action="Stop database"
      kind="danger"
      busy={stop.busy}
      error={stop.error}
      onSubmit={stop.send}
      onClose={onClose}
    >
      <p className="text-sm">
        {apps.length === 0 ? 'No app uses the database.' : `Apps that use the database: ${apps.join(', ')}.`}
      </p>
    </FormDialog>
  );
}

function Restart({ onClose }: { onClose: () => void }) {
  const { database } = useDatabase();
  const restart = useBegin('restartDatabase', onClose);
  return (
    <FormDialog
      title={`Restart ${database.name}?`}
      action="Restart database"
      busy={restart.busy}
      error={restart.error}
      onSubmit={restart.send}
      onClose={onClose}
    >
      <p className="text-sm">Open connections are closed, and the database does not respond for a few seconds.</p>
    </FormDialog>
  );
}
