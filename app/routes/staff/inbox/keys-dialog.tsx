import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog } from '@base-ui/react/dialog';
import { href, Link } from 'react-router';
import { KeyList } from './key-list.tsx';

/** The keys of the inbox over the inbox. Loaded when it is first opened. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <CSPProvider disableStyleElements>
      <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-satin/60" />
          <Dialog.Popup className="staff fixed inset-x-2 top-4 z-50 mx-auto max-h-[calc(100svh-2rem)] max-w-md overflow-y-auto rounded-2xl border border-line bg-card p-5 text-ink shadow-float sm:top-24">
            <div className="mb-4 flex items-baseline justify-between gap-4">
              <Dialog.Title className="text-lg">Keys of the inbox</Dialog.Title>
              <Dialog.Close className="rounded border border-edge px-1.5 text-xs font-medium">Esc</Dialog.Close>
            </div>
            <KeyList />
            <p className="mt-4 text-sm">
              <Link
                to={href('/staff/inbox/keys')}
                replace
                className="font-medium underline decoration-edge underline-offset-3"
              >
                Switch the keys off
              </Link>
            </p>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </CSPProvider>
  );
}
