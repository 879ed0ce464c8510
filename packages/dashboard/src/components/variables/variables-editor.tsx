import { count } from '@davit/api';
import { type ReactNode, useState } from 'react';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ConfirmBeforeLeaving } from '../../ui/unsaved.tsx';
import { useSearchText } from '../../util/params.ts';
import { differences, edited } from './changes.ts';
import { useVariablesDraft, type VariablesDraft } from './draft.ts';
import { type Level, type LevelAnswers, useVariables } from './level.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { hasChanged } from './refusal.ts';
import { ConcurrentChangesNotice, ReviewDialog } from './review-dialog.tsx';
import { isFound, rowsOf, SOURCES } from './rows.ts';
import { type SaveVariables, useSaveVariables } from './save.ts';
import { VariablesToolbar } from './toolbar.tsx';
import { AddForm } from './variable-form.tsx';
import { VariableTable } from './variable-table.tsx';

export interface EditorProps {
  level: Level;
  /** Sentence that says what happens to running apps when the user saves the environment variables. */
  effect: string;
  /** Reason why the user can save the environment variables but not deploy them. `null` if the user can also deploy. */
  deployNotBecause: string | null;
  /**
   * Content that is shown if there are no environment variables. The content explains how to create the first
   * environment variable.
   */
  empty: ReactNode;
}

/**
 * Renders the editor for the environment variables of a project, an environment or an app. Users can edit, review and
 * save environment variables.
 */
export function VariablesEditor(props: EditorProps) {
  const answers = useVariables(props.level);
  const draft = useVariablesDraft(answers);
  const save = useSaveVariables(props.level, answers, draft);
  const [text] = useSearchText('find');
  const [origin] = useSearchText('origin');
  const forbidden = useForbidden('operate');
  const rows = rowsOf(answers.own, draft.edits, answers.wider);
  const found = rows.filter((row) => isFound(row, text ?? '', origin ?? ''));
  return (
    <div className="flex flex-col gap-4">
      {forbidden && <Notice>You see all variables, but not the values of secrets. {forbidden}</Notice>}
      {draft.meanwhile.length > 0 && !save.isReviewed && <ConcurrentChangesNotice meanwhile={draft.meanwhile} />}
      <Tools {...{ answers, draft, forbidden }} shown={found.length} of={rows.length} />
      {draft.isChanged && <Unsaved draft={draft} onReview={() => save.review(true)} />}
      {rows.length === 0 && props.empty}
      {rows.length > 0 && found.length === 0 && <Empty title="No matching variables" />}
      {found.length > 0 && (
        <VariableTable level={props.level} rows={found} error={save.error} {...{ draft, forbidden }} />
      )}
      <Review {...props} {...{ answers, draft, save }} />
      <ConfirmBeforeLeaving unsaved={draft.isChanged} what="Variables" />
    </div>
  );
}

interface Parts {
  answers: LevelAnswers;
  draft: VariablesDraft;
}

function Tools({
  answers,
  draft,
  forbidden,
  shown,
  of,
}: Parts & { forbidden: string | null; shown: number; of: number }) {
  const [adding, setAdding] = useSearchText('add');
  const [pasting, setPasting] = useSearchText('paste');
  const [pasted, setPasted] = useState('');
  const { source, entries } = answers.own;
  const openPaste = (text: string) => {
    setPasted(text);
    setPasting('1');
  };
  const mayNot = forbidden !== null;
  return (
    <>
      <VariablesToolbar
        sources={SOURCES.filter((one) => one === source || answers.wider.some((wide) => wide.source === one))}
        {...{ forbidden, shown, of }}
        onAdd={() => setAdding('1')}
        onPaste={() => openPaste('')}
      />
      {adding !== null && !mayNot && (
        <AddForm
          taken={(key) => edited(entries, draft.edits).has(key)}
          onAdd={draft.edit}
          onPaste={openPaste}
          onClose={() => setAdding(null)}
        />
      )}
      <PasteDialog
        open={pasting !== null && !mayNot}
        onOpenChange={(open) => setPasting(open ? '1' : null)}
        initial={pasted}
        own={entries}
        onTake={(taken) => {
          draft.editAll(taken);
          setPasting(null);
        }}
      />
    </>
  );
}

/**
 * Renders the bar with the number of unsaved changes. On narrow screens, the bar scrolls with the page, so that the bar
 * does not cover the table.
 */
function Unsaved({ draft, onReview }: { draft: VariablesDraft; onReview: () => void }) {
  const changes = draft.edits.size;
  return (
    <div className="z-10 flex flex-wrap items-center justify-between gap-2 rounded-lg border border-line bg-panel px-4 py-2 shadow-float sm:sticky sm:top-16">
      <p role="status" className="text-sm">
        {count(changes, 'unsaved change')}
      </p>
      <div className="flex gap-2">
        <Button onClick={draft.reset}>Discard</Button>
        <Button kind="primary" onClick={onReview}>
          Review and save…
        </Button>
      </div>
    </div>
  );
}

function Review({ answers, draft, save, effect, deployNotBecause }: EditorProps & Parts & { save: SaveVariables }) {
  const { entries } = answers.own;
  const overtaken = hasChanged(save.error);
  return (
    <ReviewDialog
      open={save.isReviewed && draft.isChanged}
      onOpenChange={save.review}
      changes={differences(entries, edited(entries, draft.edits))}
      meanwhile={draft.meanwhile}
      effect={
        overtaken
          ? `${save.error?.message} The variables were loaded again. Review your changes and save again. ${effect}`
          : effect
      }
      deployNotBecause={deployNotBecause}
      planned={save.planned}
      error={save.error}
      saving={save.saving}
      onSave={save.save}
    />
  );
}
