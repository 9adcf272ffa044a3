import { useEffect } from 'react';
import { useAddressedDialog } from '#app/routes/staff/frame/use-addressed-dialog.ts';

/** Whether the dialog is open, by the address: Ctrl K opens it, and so does going back to it. */
export function useFindDialog() {
  const { isOpen, open, close } = useAddressedDialog('#find');
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (!isOpen) open();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen, open]);
  return { isOpen, open, close };
}
