import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import type { DeedProps } from './rollback-install.tsx';
import { SourceWays } from './source-ways.tsx';
import { UpdateDialog } from './update-dialog.tsx';
import { previewOfFile } from './update-preview.ts';

/**
 * Renders the dialog that updates an installed template from a file. The user selects the file, the server checks the
 * file, and then the dialog shows the changes.
 */
export function UpdateFromFile({ install, onBegun, onClose }: DeedProps) {
  const [way, choose] = useState<string>('file');
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
  const form = { onRead, busy: read.isPending, error: read.error, reset: read.reset, onClose };
  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => open || onClose()}
      title={`Update ${install.title}`}
      description="This installation was created from a file. Choose a new file. Davit shows the changes before you confirm the update."
    >
      <SourceWays
        {...form}
        label="New source"
        ways={['file', 'compose']}
        way={way}
        onChoose={(next) => {
          read.reset();
          choose(next);
        }}
      />
    </Dialog>
  );
}
