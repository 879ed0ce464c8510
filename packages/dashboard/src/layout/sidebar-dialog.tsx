import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { SidebarParts } from './sidebar-parts.tsx';

export function SidebarDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-40 flex w-64 max-w-[85vw] flex-col bg-panel shadow-float outline-none">
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          <Dialog.Close
            aria-label="Close"
            className="absolute top-2.5 right-2 grid size-9 place-items-center rounded-md text-soft hover:bg-sunken"
          >
            <X className="size-5" aria-hidden />
          </Dialog.Close>
          <SidebarParts />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
