import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { matching, query, useAnswer, useCall } from '../../api.ts';
import { say } from '../../ui/toast.tsx';
import type { SettingField } from './section.ts';
import { changedFields, type Draft, draftOf, effectsOf, patchOf } from './values.ts';

const CHANGES = ['getSettings', 'getInstance', 'getAuthority', 'listCertificates', 'getOwnRegistry'] as const;

/**
 * Manages the form for instance settings. Stores the input of the user, finds unsaved changes, and saves these changes.
 */
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
  // Show new settings from the server in the form, if the form contains no unsaved changes.
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
    // Fetch the settings again. The server may have refused the change because the form contained outdated settings.
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
    reset: save.reset,
    discard,
    showNow,
  };
}
