import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';

/** Renders a dialog with a generated password. When the dialog closes, the password is discarded. */
export function PasswordShown({
  username,
  password,
  onClose,
}: {
  username: string;
  password: string;
  onClose: () => void;
}) {
  return (
    <Dialog
      staysOpen
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Password of ${username}`}
      description={`Send this password to ${username} over a private channel. Users can change their password on the account page.`}
    >
      <ShownOnce label="password" secret={password} />
      <Actions>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </Actions>
    </Dialog>
  );
}
