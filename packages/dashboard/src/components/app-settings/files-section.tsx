import { Button } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { FieldRows } from '../../ui/field-rows.tsx';
import { PickFile } from '../../ui/pick-file.tsx';
import { FILES, type FileRow, MOST_KIB, NEW_FILE } from './app-files.ts';
import { useAppForm } from './form.ts';
import { FormCard } from './form-card.tsx';

const FIELDS = { files: FILES };

/**
 * Renders the form for configuration files of an app. Davit adds these files to each replica when the replica starts.
 */
export function FilesSection() {
  const form = useAppForm(FIELDS);
  const { value, set, error } = form.field('files');
  return (
    <FormCard
      form={form}
      title="Files"
      description="Small files, such as a configuration, that Davit puts into each replica. The contents are stored encrypted and never shown again."
      effect="Changes to files take effect with the next deployment."
    >
      {value.length === 0 && <p className="text-sm text-soft">No files. The app uses only the files of its image.</p>}
      <FieldRows
        rows={value}
        onChange={set}
        grid="grid-cols-[1fr_auto] rounded-lg border border-line p-3"
        nameOf={({ path }, number) => `file ${path || number}`}
        add="Add file"
        blank={NEW_FILE}
        error={error}
        disabledBecause={form.forbidden}
      >
        {(row, put, number) => <FileFields row={row} onChange={put} number={number} />}
      </FieldRows>
    </FormCard>
  );
}

function FileFields({ row, onChange, number }: { row: FileRow; onChange: (row: FileRow) => void; number: number }) {
  const { path, mode, version, content } = row;
  return (
    <>
      <div className="grid items-start gap-3 sm:grid-cols-[1fr_6rem]">
        <TextField
          label={`Path of file ${number}`}
          mono
          autoCapitalize="none"
          placeholder="/etc/app/config.yaml"
          value={path}
          onChange={({ target }) => onChange({ ...row, path: target.value })}
        />
        <TextField
          label="Mode"
          aria-label={`Mode of file ${number}`}
          mono
          inputMode="numeric"
          value={mode}
          onChange={({ target }) => onChange({ ...row, mode: target.value })}
        />
      </div>
      <div className="order-last col-span-full flex flex-col gap-2">
        {content === null ? (
          <div className="flex flex-wrap items-center gap-3 text-sm">
            <Button onClick={() => onChange({ ...row, content: '' })}>
              Replace contents…<span className="sr-only"> {path}</span>
            </Button>
            <span className="text-soft">Davit keeps the current contents of this file.</span>
          </div>
        ) : (
          <>
            <TextArea
              label={`Contents of file ${number}`}
              mono
              rows={8}
              value={content}
              onChange={({ target }) => onChange({ ...row, content: target.value })}
            />
            <PickFile
              mostKib={MOST_KIB}
              beside="or enter the contents above."
              onText={(text) => onChange({ ...row, content: text })}
            />
            {version !== null && (
              <div>
                <Button kind="quiet" onClick={() => onChange({ ...row, content: null })}>
                  Keep contents
                </Button>
              </div>
            )}
          </>
        )}
      </div>
    </>
  );
}
