import type { InstallPlan, TemplateSource } from '@davit/api';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { InstallForm } from './install-form.tsx';
import { planOf } from './offer.ts';
import { SourceWays } from './source-ways.tsx';

interface Read {
  source: TemplateSource;
  plan: InstallPlan;
}

/**
 * Renders the dialog that installs a template from a repository, a file or a Compose file. The dialog first reads the
 * template. Then, it shows fields for the template's inputs.
 */
export function FromElsewhere({
  from,
  onChoose,
  onClose,
}: {
  from: string;
  onChoose: (way: string) => void;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const read = useMutation<Read, Error, TemplateSource>({
    mutationFn: async (source) => ({ source, plan: await planOf({ from: 'elsewhere', source }, {}) }),
    gcTime: 0,
  });
  const form = { onRead: read.mutate, busy: read.isPending, error: read.error, reset: read.reset, onClose };
  const choose = (next: string) => {
    read.reset();
    onChoose(next);
  };
  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => open || onClose()}
      title={
        read.data ? `Install ${read.data.plan.manifest.name ?? 'the template'}` : 'Install from a repository or file'
      }
      description={
        read.data
          ? undefined
          : 'Install a template that is not in the catalog. Davit checks it like every other template.'
      }
    >
      {read.data ? (
        <div className="flex flex-col gap-4">
          <div>
            <Button onClick={() => read.reset()}>Back to source</Button>
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
        <SourceWays {...form} label="Source" way={from} onChoose={choose} />
      )}
    </Dialog>
  );
}
