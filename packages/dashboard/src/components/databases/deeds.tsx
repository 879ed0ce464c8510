import type { DatabaseEngineOffer } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Deed } from '../../ui/deed.tsx';
import { say, sayProblem } from '../../ui/toast.tsx';
import { AddExtensions, CloneDatabase, RotatePassword, UpgradeDatabase } from './deed-dialogs.tsx';
import { DeleteDatabase } from './delete-database.tsx';
import { useDatabase } from './use-database.ts';
import { addable, newerVersions } from './versions.ts';

type Open = 'rotate' | 'extend' | 'upgrade' | 'clone' | 'delete';

/**
 * Renders buttons for actions that change a database's data or version. Each action starts a background task. The page
 * then shows the steps of the task.
 */
export function DatabaseDeeds({ offer }: { offer: DatabaseEngineOffer | undefined }) {
  const { database, not } = useDatabase();
  const [open, setOpen] = useState<Open | null>(null);
  const { name, version } = database;
  const extensions = addable(database, offer);
  const versions = newerVersions(database, offer);
  const onClose = () => setOpen(null);
  const button = (what: Open, label: string, because: string | null) => (
    <Button kind={what === 'delete' ? 'danger' : 'plain'} disabledBecause={because} onClick={() => setOpen(what)}>
      {label}
    </Button>
  );
  return (
    <>
      <Card title="Maintenance">
        <div className="divide-y divide-line">
          <Deed
            title="Password"
            says="Deploys the attached apps with a new password, without downtime. The old password works until no app uses it."
          >
            {button('rotate', 'Rotate password…', not.rotate)}
          </Deed>
          {database.engine === 'postgres' && (
            <Deed
              title="Extensions"
              says={`Installed: ${database.extensions.join(', ') || 'none'}. Extensions cannot be removed.`}
            >
              {button(
                'extend',
                'Add extensions…',
                not.extend ?? (extensions.length === 0 ? 'All available extensions are installed.' : null),
              )}
            </Deed>
          )}
          {database.engine === 'redis' && <AllowConfig />}
          <Deed title="Upgrade" says={`Current version: ${version}. The database is unavailable during the upgrade.`}>
            {button(
              'upgrade',
              'Upgrade…',
              not.upgrade ?? (versions.length === 0 ? 'This is the newest available version.' : null),
            )}
          </Deed>
          <Deed
            title="Clone"
            says="Creates a new database with a copy of the current data. The new database gets its own password."
          >
            {button('clone', 'Clone…', not.copy)}
          </Deed>
        </div>
      </Card>
      <Card title="Danger zone">
        <Deed
          title="Delete database"
          says="Stops the database and moves it with all its data to the trash. You can restore it until Davit permanently deletes it."
        >
          {button('delete', 'Delete…', not.delete)}
        </Deed>
      </Card>
      {open === 'rotate' && <RotatePassword onClose={onClose} />}
      {open === 'extend' && <AddExtensions extensions={extensions} onClose={onClose} />}
      {open === 'upgrade' && <UpgradeDatabase versions={versions} onClose={onClose} />}
      {open === 'clone' && <CloneDatabase onClose={onClose} />}
      {open === 'delete' && <DeleteDatabase name={name} onClose={onClose} />}
    </>
  );
}

/**
 * Renders the switch that allows attached apps to use the Redis command `CONFIG`. The switch is not in the settings
 * form, because a change takes effect immediately.
 */
function AllowConfig() {
  const { database, params, not } = useDatabase();
  const { allow_config: isAllowed, name } = database;
  const change = useCall('patchDatabase', {
    changes: ['getDatabase', 'listDatabases'],
    onDone: ({ allow_config }) => say(`Apps ${allow_config ? 'can now' : 'can no longer'} use CONFIG of ${name}.`),
  });
  const allow = (allow_config: boolean) => change.mutate({ params, body: { allow_config } }, { onError: sayProblem });
  return (
    <Deed
      title="CONFIG command"
      says={`Apps ${isAllowed ? 'can' : 'cannot'} run the CONFIG command, which reads and changes the settings of Redis until the next restart.`}
    >
      <Button busy={change.isPending} disabledBecause={not.change} onClick={() => allow(!isAllowed)}>
        {isAllowed ? 'Deny CONFIG' : 'Allow CONFIG'}
      </Button>
    </Deed>
  );
}
