import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { FormProblem } from '../../ui/problem.tsx';
import { errorWithin } from '../../util/field-error.ts';
import type { DomainDraft } from './domain-draft.ts';
import { DomainHeaders } from './domain-headers.tsx';
import type { DomainParts } from './domain-parts.ts';
import { DomainUsers } from './domain-users.tsx';
import { TwoColumns } from './fields.tsx';

const HTTPS = [
  { value: 'auto', label: 'Redirect to HTTPS if a certificate exists' },
  { value: 'only', label: 'Always redirect to HTTPS' },
  { value: 'both', label: 'Allow HTTP' },
] as const;
const PROTOCOLS = [
  { value: 'http', label: 'HTTP/1.1' },
  { value: 'h2c', label: 'HTTP/2 without TLS (h2c), for example for gRPC' },
] as const;
const FIELDS = [
  'host',
  'path',
  'port',
  'redirect_to',
  'basic_auth',
  'allow',
  'rate_limit',
  'maintenance',
  'headers',
  'hsts',
];

export interface DomainFormProps extends DomainParts {
  isNew: boolean;
  action: string;
  busy: boolean;
  /** Clears the error of the last submission. The form calls this function when the user changes a field. */
  onEdit: () => void;
  onSubmit: () => void;
  onClose: () => void;
}

export function DomainForm({ isNew, action, busy, onEdit, onSubmit, onClose, ...parts }: DomainFormProps) {
  const { error } = parts;
  const isGeneralError = error !== null && FIELDS.every((field) => errorWithin(error, field) === null);
  return (
    <Form busy={busy} error={error} onEdit={onEdit} onSubmit={onSubmit} className="flex flex-col gap-4">
      <Where {...parts} isNew={isNew} />
      <Fold title="Redirect, passwords and limits" open={has(parts.draft)}>
        <Rules {...parts} />
      </Fold>
      <Fold title="Headers and HSTS" open={parts.draft.headers !== '' || parts.draft.hsts}>
        <DomainHeaders {...parts} />
      </Fold>
      <FormProblem error={error} beside={isGeneralError ? error : null} />
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" busy={busy}>
          {action}
        </Button>
      </Actions>
    </Form>
  );
}

function has({ redirect, users, allow, rate, maintenance }: DomainDraft): boolean {
  return redirect !== '' || users.length > 0 || allow !== '' || rate !== '' || maintenance;
}

function Fold({ title, open, children }: { title: string; open: boolean; children: ReactNode }) {
  return (
    <details open={open} className="rounded-lg border border-line px-3 py-2">
      <summary className="min-h-6 cursor-pointer text-sm font-medium">{title}</summary>
      <div className="flex flex-col gap-4 pt-3 pb-1">{children}</div>
    </details>
  );
}

function Where({ draft, setDraft, error, isNew }: DomainParts & { isNew: boolean }) {
  const set = (change: Partial<DomainDraft>) => setDraft({ ...draft, ...change });
  return (
    <>
      {isNew && (
        <TextField
          label="Host"
          mono
          autoFocus
          required
          placeholder="shop.example.com"
          value={draft.host}
          error={errorWithin(error, 'host')}
          onChange={(event) => set({ host: event.target.value })}
        />
      )}
      <TwoColumns>
        <TextField
          label="Path"
          note="optional"
          mono
          placeholder="/shop"
          hint="The app receives only requests for this path and its subpaths. Leave blank for all paths."
          value={draft.path}
          error={errorWithin(error, 'path')}
          onChange={(event) => set({ path: event.target.value })}
        />
        <TextField
          label="Port"
          note="optional"
          inputMode="numeric"
          hint="Port of the app for this domain. Leave blank to use the default port of the app."
          value={draft.port}
          error={errorWithin(error, 'port')}
          onChange={(event) => set({ port: event.target.value })}
        />
        <SelectField label="HTTP requests" options={HTTPS} value={draft.https} onChange={(https) => set({ https })} />
        <SelectField
          label="Protocol"
          options={PROTOCOLS}
          value={draft.protocol}
          onChange={(protocol) => set({ protocol })}
        />
      </TwoColumns>
    </>
  );
}

function Rules({ draft, setDraft, error }: DomainParts) {
  const set = (change: Partial<DomainDraft>) => setDraft({ ...draft, ...change });
  return (
    <>
      <TextField
        label="Redirect to"
        mono
        placeholder="example.com"
        hint="Host to which all requests are redirected, with their path and query."
        value={draft.redirect}
        error={errorWithin(error, 'redirect_to')}
        onChange={(event) => set({ redirect: event.target.value })}
      />
      <DomainUsers users={draft.users} onChange={(users) => set({ users })} error={errorWithin(error, 'basic_auth')} />
      <TwoColumns>
        <TextArea
          label="IP allowlist"
          rows={3}
          mono
          placeholder={'10.0.0.0/8\n192.0.2.7'}
          hint="One IP address or network per line. Other clients get status 403. Leave blank to allow all clients."
          value={draft.allow}
          error={errorWithin(error, 'allow')}
          onChange={(event) => set({ allow: event.target.value })}
        />
        <TextField
          label="Rate limit"
          inputMode="numeric"
          hint="Maximum number of requests per minute from one IP address. Further requests get status 429. Leave blank for no limit."
          value={draft.rate}
          error={errorWithin(error, 'rate_limit')}
          onChange={(event) => set({ rate: event.target.value })}
        />
      </TwoColumns>
      <CheckField
        label="Maintenance mode"
        hint="All requests get status 503 and a maintenance page."
        checked={draft.maintenance}
        onChange={(event) => set({ maintenance: event.target.checked })}
      />
      {draft.maintenance && (
        <TextField
          label="Text of the maintenance page"
          placeholder="We are working on this site. Please try again soon."
          value={draft.message}
          error={errorWithin(error, 'maintenance')}
          onChange={(event) => set({ message: event.target.value })}
        />
      )}
    </>
  );
}
