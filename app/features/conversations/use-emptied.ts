import { useEffect, useRef } from 'react';
import { useNavigation } from 'react-router';

/** A form that is emptied once its field was sent and stored, and keeps its text when it was refused. */
export function useEmptiedOnceStored(field: string, refused: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef(false);
  const { state, formData } = useNavigation();
  useEffect(() => {
    if (state === 'submitting' && formData?.has(field)) sent.current = true;
    if (state !== 'idle' || !sent.current) return;
    sent.current = false;
    if (!refused) form.current?.reset();
  }, [state, formData, field, refused]);
  return form;
}
