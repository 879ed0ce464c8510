/**
 * Manages a form for app settings. The form stores only the fields that the user edited. All other fields show the
 * current settings, which other users may change.
 */
import { type App, DavitError, doneOf, plannedOf } from '@davit/api';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, matching, query, useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { type AppPath, paths } from '../../paths.ts';
import { say } from '../../ui/toast.tsx';
import { errorWithin } from '../../util/field-error.ts';
import { useAppPath } from '../../util/params.ts';
import type { PlannedChange } from '../app/change-plan.ts';
import type { Field } from './kinds.ts';
import { mergePatch } from './patch.ts';

/** Form fields for app settings. The key is the path of the setting in the API, such as `health.path`. */
export type Fields = Record<string, Field<unknown>>;
type ValueOf<F> = F extends Field<infer T> ? T : never;

export interface Bound<T> {
  value: T;
  set: (value: T) => void;
  label: string;
  /**
   * Error message of the form field, or `null`. For example, the message says that another user has changed the same
   * setting.
   */
  error: string | null;
}

export interface FieldChange {
  label: string;
  from: string;
  to: string;
}

export interface AppForm<F extends Fields> extends FormState {
  field: <K extends keyof F & string>(name: K) => Bound<ValueOf<F[K]>>;
}

export interface FormState {
  app: App;
  changes: FieldChange[];
  /** Reason why the user may not change the app's settings. `null` if the user may change them. */
  forbidden: string | null;
  reset: () => void;
  /** Clears `error` and the error messages that the last save added to the form fields. */
  clearError: () => void;
  /** Error of the last save, or `null`. Either a form field or the whole form shows this error. */
  refusal: Error | null;
  save: (deploy: boolean) => void;
  saving: 'save' | 'deploy' | null;
  /** Unsaved change whose deployment plan is shown. `null` if there are no changes or a save is in progress. */
  planned: PlannedChange | null;
  /** Error of the last save, or `null`. An error that belongs to a form field is only in the `error` of this field. */
  error: Error | null;
}

interface Edit {
  value: unknown;
  /** Value of the app's setting when the user began to edit the form field. */
  base: unknown;
}
type Edits = Readonly<Record<string, Edit>>;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Returns the state of a form for app settings.
 * @param fields must be a module-level constant, because React needs the same object at every render
 */
export function useAppForm<F extends Fields>(fields: F): AppForm<F> {
  const path = useAppPath();
  const app = useAnswer('getApp', { params: path });
  const [edits, setEdits] = useState<Edits>({});
  const of = (name: string) => fieldNamed(fields, name);
  const changed = Object.entries(edits).filter(([name, { value }]) => !same(value, of(name).of(app)));
  const sending = useSaving(path, () => setEdits({}));
  const isWrong = changed.some(([name, { value }]) => of(name).check(value) !== null);
  const body = mergePatch(changed.map(([name, { value }]) => [name, of(name).sent(value, app)] as const));
  const send = (deploy: boolean) => {
    if (isWrong) return;
    sending.send(app, {
      deploy,
      body,
      /*
       * Only settings that the user edited can conflict with changes by other users. Therefore, compare only the edited
       * settings.
       */
      differs: (before, after) => changed.some(([name]) => !same(of(name).of(before), of(name).of(after))),
    });
  };
  const errorAt = (name: string) => {
    const edit = edits[name];
    const wrong = (edit && of(name).check(edit.value)) ?? errorWithin(sending.error, name, of(name).wordsOf);
    return wrong ?? overwriteWarning(of(name), edit, app);
  };
  return {
    app,
    field: (name) => ({
      // TypeScript cannot infer the type of the value from the field's name, so a type cast is needed.
      value: (edits[name] ? edits[name].value : of(name).of(app)) as never,
      label: of(name).label,
      error: errorAt(name),
      set: (value) =>
        setEdits((all) => ({ ...all, [name]: { value, base: all[name] ? all[name].base : of(name).of(app) } })),
    }),
    changes: changed.map(([name, { value }]) => ({
      label: of(name).label,
      from: of(name).say(of(name).of(app)),
      to: of(name).say(value),
    })),
    forbidden: useForbidden('operate'),
    reset: () => {
      setEdits({});
      sending.reset();
    },
    clearError: sending.reset,
    refusal: sending.error,
    save: send,
    saving: sending.saving,
    planned: changed.length === 0 || isWrong || sending.saving !== null ? null : plannedPatch(path, body),
    error: Object.keys(fields).some((name) => errorWithin(sending.error, name) !== null) ? null : sending.error,
  };
}

function plannedPatch(params: AppPath, body: Record<string, unknown>): PlannedChange {
  const dry = { dry_run: 'true' } as const;
  return {
    key: ['patchApp', params, dry, body],
    ask: async (signal) => plannedOf(await api.patchApp({ params, query: dry, body, signal })),
  };
}

function fieldNamed(fields: Fields, name: string): Field<unknown> {
  const field = fields[name];
  if (!field) throw new Error(`the form has no field “${name}”`);
  return field;
}

function overwriteWarning(field: Field<unknown>, edit: Edit | undefined, app: App): string | null {
  const now = field.of(app);
  if (edit === undefined || same(edit.base, now) || same(edit.value, now)) return null;
  return `Another user changed this to “${field.say(now)}” in the meantime. Saving overwrites that change.`;
}

interface Sent {
  deploy: boolean;
  body: Record<string, unknown>;
  differs: (before: App, after: App) => boolean;
}

/**
 * Maximum number of attempts to save app settings. If another user has changed other settings during the save, the form
 * saves again.
 */
const ATTEMPTS = 4;

function useSaving(path: AppPath, clear: () => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [deploys, setDeploys] = useState(false);
  const call = useCall('patchApp', {
    changes: ['getApp', 'listApps', 'listRevisions', 'listDeployments'],
    onDone: (said) => {
      const answer = doneOf(said);
      clear();
      if (!('id' in answer)) return say('Saved.');
      say(`Saved. Deployment ${answer.id} has started.`);
      void navigate({ to: paths.appDeployment({ ...path, deployment: answer.id }), ignoreBlocker: true });
    },
  });
  const send = (shown: App, sent: Sent, attempts = ATTEMPTS) => {
    const { deploy, body, differs } = sent;
    setDeploys(deploy);
    const onError = async (error: DavitError) => {
      if (!isOvertaken(error)) return;
      const now = await queries.fetchQuery({ ...query('getApp', { params: path }), staleTime: 0 });
      if (attempts > 1 && !differs(shown, now)) send(now, sent, attempts - 1);
    };
    call.mutate(
      { params: path, body: body as never, ...(deploy && { query: { deploy: 'true' } }), ...matching(shown) },
      { onError },
    );
  };
  return {
    send,
    error: call.error,
    reset: call.reset,
    saving: call.isPending ? (deploys ? ('deploy' as const) : ('save' as const)) : null,
  };
}

function isOvertaken(error: Error): boolean {
  return error instanceof DavitError && error.code === 'precondition_failed';
}
