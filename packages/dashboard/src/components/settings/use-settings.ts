import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { matching, query, useAnswer, useCall } from '../../api.ts';
import { say } from '../../ui/toast.tsx';
import type { SettingField } from './section.ts';
import { changedFields, type Draft, draftOf, effectsOf, patchOf } from './values.ts';

const CHANGES = ['getSettings', 'getInstance', 'getAuthority', 'listCertificates', 'getOwnRegistry'] as const;

/** Manages the form state of instance settings: typed values, changes and saving. */
export function useSettings(fields: readonly SettingField[]) {
  const queries = useQueryClient();
  const settings = useAnswer('getSettings');
  const [base, setBase] = useState(settings);
  const before = draftOf(fields, base);
  const [draft, setDraft] = useState<Draft>(before);
  const save = useCall('patchSettings', { changes: CHANGES });
  const changed = changedFields(fields, before, draft);
  const follow = (from: typeof settings) => {
    setBase(from);
    setDraft(draftOf(fields, from));
  };
  // The server sent newer settings, and this form has no unsaved changes, so the form shows the newer settings.
  if (base !== settings && changed.length === 0 && !save.isPending) follow(settings);
  const submit = () =>
    save.mutate(
      { body: patchOf(changed, draft), ...matching(base) },
      {
        onSuccess: (saved) => {
          follow(saved);
          say('Saved the settings.');
        },
      },
    );
  const discard = () => {
    follow(settings);
    save.reset();
  };
  const showNow = async () => {
    // Fetches the settings from the server, because the cached settings may be as outdated as the refused change.
    follow(await queries.fetchQuery({ ...query('getSettings'), staleTime: 0 }));
    save.reset();
  };
  return {
    draft,
    type: (path: string, text: string) => setDraft({ ...draft, [path]: text }),
    isChanged: changed.length > 0,
    effects: effectsOf(changed, before, draft),
    error: save.error,
    busy: save.isPending,
    submit,
    discard,
    showNow,
  };
}
