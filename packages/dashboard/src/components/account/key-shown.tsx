import type { ApiKeyCreated } from '@davit/api';
import type { ReactNode } from 'react';
import { useAnswer } from '../../api.ts';
import { useMe } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Commands, CopyButton } from '../../ui/copy.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { environmentLines, type KeyUse, loginLines, mcpConfiguration, whyNoPush } from './use-key.ts';

/**
 * Renders a dialog with the secret of a new API key and with examples of how to use the key. When the dialog closes,
 * the secret is discarded.
 */
export function KeyShown({ made, onClose }: { made: ApiKeyCreated; onClose: () => void }) {
  const { username, role } = useMe();
  const { address } = useAnswer('getOwnRegistry');
  const use = { key: made.key, origin: window.location.origin, username, registry: address };
  return (
    <Dialog
      staysOpen
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={`API key “${made.name}”`}
      description="Treat this key like a password."
    >
      <div className="flex flex-col gap-4">
        <ShownOnce label="key" secret={made.key} />
        <Uses use={use} noPush={whyNoPush(made.role, role)} />
      </div>
      <Actions>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </Actions>
    </Dialog>
  );
}

function Uses({ use, noPush }: { use: KeyUse; noPush: string | null }) {
  const { davit, docker } = loginLines(use);
  const mcp = mcpConfiguration(use);
  return (
    <>
      <Use
        title="On the command line"
        hint="When the command asks how to sign in, choose “API key”. Then paste the key."
      >
        <Commands lines={[davit]} />
      </Use>
      {noPush === null ? (
        <Use
          title="Push images"
          hint="Enter the key when Docker prompts for the password. This way, the key does not appear in the shell history."
        >
          <Commands lines={[docker]} />
        </Use>
      ) : (
        <Use title="Push images">
          <p className="text-sm text-soft">{noPush}</p>
        </Use>
      )}
      <Use title="In a pipeline" hint="With these environment variables, you do not need to run “davit login”.">
        <Commands lines={environmentLines(use)} secret />
      </Use>
      <Use title="In an MCP client">
        <div className="flex items-start justify-between gap-2 rounded-md bg-sunken p-2">
          <pre className="min-w-0 overflow-x-auto font-mono text-xs">{mcp}</pre>
          <CopyButton text={mcp} label="Copy configuration" secret />
        </div>
      </Use>
    </>
  );
}

function Use({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-sm font-medium">{title}</h3>
      {children}
      {hint && <p className="text-xs text-soft">{hint}</p>}
    </div>
  );
}
