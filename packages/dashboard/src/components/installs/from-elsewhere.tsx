import type { InstallPlan, TemplateSource } from '@davit/api';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { RadioGroup } from '../../ui/radio.tsx';
import { FromCompose } from './from-compose.tsx';
import { FromFile } from './from-file.tsx';
import { FromRepository } from './from-repository.tsx';
import { InstallForm } from './install-form.tsx';
import { planOf } from './offer.ts';

/** Where a template can be that no catalog lists. */
export const WAYS = [
  { value: 'repository', label: 'A repository', hint: 'A public one that has a template.yaml.' },
  { value: 'file', label: 'A template file', hint: 'The text of a template.yaml.' },
  {
    value: 'compose',
    label: 'A Compose file',
    hint: 'Its services become apps and databases; you see what is carried.',
  },
] as const;
type Way = (typeof WAYS)[number]['value'];

interface Read {
  source: TemplateSource;
  plan: InstallPlan;
}

export interface SourceFormProps {
  onRead: (source: TemplateSource) => void;
  busy: boolean;
  error: Error | null;
  onClose: () => void;
}

/** Installs what no catalog lists: first it is read, then it asks what it asks. */
export function FromElsewhere({
  from,
  onChoose,
  onClose,
}: {
  from: string;
  onChoose: (way: string) => void;
  onClose: () => void;
}) {
  const way: Way = WAYS.find(({ value }) => value === from)?.value ?? 'repository';
  const navigate = useNavigate();
  // The text of a template that was made of a Compose file, to be changed by hand.
  const [text, setText] = useState('');
  const read = useMutation<Read, Error, TemplateSource>({
    mutationFn: async (source) => ({ source, plan: await planOf({ from: 'elsewhere', source }, {}) }),
    gcTime: 0,
  });
  const form = { onRead: read.mutate, busy: read.isPending, error: read.error, onClose };
  const choose = (next: string) => {
    read.reset();
    onChoose(next);
  };
  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => open || onClose()}
      title={read.data ? `Install ${read.data.plan.manifest.name ?? 'the template'}` : 'Install from elsewhere'}
      description={
        read.data ? undefined : 'A template that the catalog does not list. It is checked here as every other.'
      }
    >
      {read.data ? (
        <div className="flex flex-col gap-4">
          <div>
            <Button onClick={() => read.reset()}>Back to where it is from</Button>
          </div>
          <InstallForm
            offer={{ from: 'elsewhere', source: read.data.source }}
            manifest={read.data.plan.manifest}
            onBegun={({ subject, id }) =>
              void navigate({ to: paths.install({ install: subject.name }), search: { run: String(id) } as never })
            }
          />
        </div>
      ) : (
        <div className="flex flex-col gap-5">
          <RadioGroup label="Where it is" choices={WAYS} value={way} onChange={choose} />
          {way === 'repository' && <FromRepository {...form} />}
          {way === 'file' && <FromFile {...form} text={text} onText={setText} />}
          {way === 'compose' && (
            <FromCompose
              {...form}
              onEdit={(template) => {
                setText(template);
                choose('file');
              }}
            />
          )}
        </div>
      )}
    </Dialog>
  );
}
