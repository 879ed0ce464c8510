import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { RadioGroup } from '../../ui/radio.tsx';
import { FromCompose } from './from-compose.tsx';
import { WAYS } from './from-elsewhere.tsx';
import { FromFile } from './from-file.tsx';
import type { DeedProps } from './rollback-install.tsx';
import { UpdateDialog } from './update-dialog.tsx';
import { previewOfFile } from './update-preview.ts';

const OF_FILES = WAYS.filter(({ value }) => value !== 'repository');

/** What came from a file has another one take its place: first it is read, then what it changes is shown. */
export function UpdateFromFile({ install, onBegun, onClose }: DeedProps) {
  const [way, choose] = useState<string>('file');
  const [text, setText] = useState('');
  const read = useMutation<string, Error, string>({
    mutationFn: async (file) => {
      await previewOfFile({ install: install.id, file, remove: true });
      return file;
    },
    gcTime: 0,
  });
  if (read.data !== undefined)
    return <UpdateDialog install={install} file={read.data} onBegun={onBegun} onClose={onClose} />;
  const onRead = (source: object) => read.mutate('file' in source ? String(source.file) : '');
  const form = { onRead, busy: read.isPending, error: read.error, onClose };
  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => open || onClose()}
      title={`Update ${install.title}`}
      description="It came from a file: another one takes its place. You see what changes before anything does."
    >
      <div className="flex flex-col gap-5">
        <RadioGroup
          label="What takes its place"
          choices={OF_FILES}
          value={way}
          onChange={(next) => {
            read.reset();
            choose(next);
          }}
        />
        {way === 'file' ? (
          <FromFile {...form} text={text} onText={setText} />
        ) : (
          <FromCompose
            {...form}
            onEdit={(template) => {
              setText(template);
              choose('file');
            }}
          />
        )}
      </div>
    </Dialog>
  );
}
