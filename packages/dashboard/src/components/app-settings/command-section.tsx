import { ArgumentsSetting } from './arguments-setting.tsx';
import { useAppForm } from './form.ts';
import { FormCard } from './form-card.tsx';
import { argumentList } from './kinds.ts';

const FIELDS = {
  command: argumentList('Command', ({ command }) => command, 'from the image'),
  args: argumentList('Arguments', ({ args }) => args, 'from the image'),
  release_command: argumentList('Release command', ({ release_command }) => release_command, 'none'),
};

export function CommandSection() {
  const form = useAppForm(FIELDS);
  return (
    <FormCard
      form={form}
      title="Command"
      description="The command runs without a shell. Put arguments that contain spaces in quotes. For shell features, write sh -c '…'."
      effect="Takes effect with the next deployment."
    >
      <ArgumentsSetting
        of={form.field('command')}
        placeholder="node server.js"
        hint="Replaces the entry point (ENTRYPOINT) of the image. Leave blank to use the entry point of the image."
      />
      <ArgumentsSetting
        of={form.field('args')}
        placeholder="--workers 4"
        hint="Replaces the default arguments (CMD) of the image. Leave blank to use the default arguments of the image."
      />
      <ArgumentsSetting
        of={form.field('release_command')}
        placeholder="npm run migrate"
        hint="Runs once in each deployment with the new image, before the new release starts. If the command fails, the deployment fails and the old release stays live."
      />
    </FormCard>
  );
}
