import type { DavitError, Registry } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { errorFor } from '../../util/field-error.ts';
import { useNotForAll } from '../admin/not-for-all.ts';
import { ProjectsField } from '../admin/projects-field.tsx';

const FIELDS = ['host', 'username', 'password', 'projects'];

interface Draft {
  host: string;
  username: string;
  password: string;
  /** Names of the projects that may use the credentials. `null` means all projects. */
  projects: readonly string[] | null;
}

/**
 * Renders the form for the credentials of an external registry.
 * @param registry stored credentials to change, or `null` to add credentials
 */
export function CredentialsForm({ registry, onClose }: { registry: Registry | null; onClose: () => void }) {
  const notForAll = useNotForAll('save registry credentials for all projects');
  const [draft, setDraft] = useState<Draft>({
    host: registry?.host ?? '',
    username: registry?.username ?? '',
    password: '',
    projects: registry ? registry.projects : notForAll === null ? null : [],
  });
  const [unchecked, setUnchecked] = useState(false);
  const { send, isPending, error, reset } = useSave(registry, onClose);
  const set = (field: 'host' | 'username' | 'password') => (event: { target: { value: string } }) =>
    setDraft((before) => ({ ...before, [field]: event.target.value }));
  return (
    <FormDialog
      title={registry ? `Change credentials of ${registry.host}` : 'Add registry credentials'}
      description="Davit first checks the credentials with the registry."
      action={registry ? 'Save credentials' : 'Add credentials'}
      busy={isPending}
      disabledBecause={draft.projects?.length === 0 ? 'Choose a project first.' : null}
      error={error}
      onEdit={reset}
      fields={FIELDS}
      onSubmit={() => send(draft, unchecked)}
      onClose={onClose}
    >
      {!registry && (
        <TextField
          label="Registry"
          required
          mono
          placeholder="ghcr.io"
          value={draft.host}
          onChange={set('host')}
          error={errorFor(error, 'host')}
          autoFocus
        />
      )}
      <TextField
        label="Username"
        required
        value={draft.username}
        onChange={set('username')}
        error={errorFor(error, 'username')}
      />
      <TextField
        label="Password or token"
        type="password"
        autoComplete="new-password"
        required={!registry}
        value={draft.password}
        onChange={set('password')}
        hint={registry ? 'Leave blank to keep the stored password.' : 'Stored encrypted and never shown again.'}
        error={errorFor(error, 'password')}
      />
      <ProjectsField
        projects={draft.projects}
        onChange={(projects) => setDraft((before) => ({ ...before, projects }))}
        all={{
          label: 'All projects',
          hint: 'If a project has its own credentials for this registry, Davit uses those instead.',
          disabledBecause: notForAll,
        }}
        error={errorFor(error, 'projects')}
      />
      <CheckField
        label="Save without a check"
        hint="Skips the test of the credentials. Use this option if the registry is temporarily unavailable."
        checked={unchecked}
        onChange={(event) => setUnchecked(event.target.checked)}
      />
    </FormDialog>
  );
}

interface Save {
  send: (draft: Draft, unchecked: boolean) => void;
  isPending: boolean;
  error: DavitError | null;
  reset: () => void;
}

function useSave(registry: Registry | null, onDone: () => void): Save {
  const options = { changes: ['listRegistries'] as const, onDone };
  const add = useCall('addRegistry', options);
  const patch = useCall('patchRegistry', options);
  const send = ({ host, username, password, projects: chosen }: Draft, unchecked: boolean) => {
    const projects = chosen && [...chosen];
    const query = unchecked ? ({ check: 'false' } as const) : {};
    if (registry === null) return add.mutate({ query, body: { host, username, password, projects } });
    const body = {
      ...(username !== registry.username && { username }),
      ...(password !== '' && { password }),
      ...(JSON.stringify(projects?.toSorted()) !== JSON.stringify(registry.projects?.toSorted()) && { projects }),
    };
    patch.mutate({ params: { registry: String(registry.id) }, query, body });
  };
  const { isPending, error, reset } = registry === null ? add : patch;
  return { send, isPending, error, reset };
}
