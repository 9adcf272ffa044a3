import { useEffect, useRef } from 'react';
import { useNavigation } from 'react-router';

/**
 * A form whose field loses what was sent once it is stored, and keeps it when it was refused. What was typed since it
 * was sent stays.
 */
export function useEmptiedOnceStored(field: string, refused: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef<string | null>(null);
  const { state, formData } = useNavigation();
  useEffect(() => {
    const text = formData?.get(field);
    if (state === 'submitting' && typeof text === 'string') sent.current = text;
    if (state !== 'idle' || sent.current === null) return;
    const box = form.current?.elements.namedItem(field);
    if (!refused && box instanceof HTMLTextAreaElement && box.value.startsWith(sent.current)) {
      box.setRangeText('', 0, sent.current.length);
    }
    sent.current = null;
  }, [state, formData, field, refused]);
  return form;
}
