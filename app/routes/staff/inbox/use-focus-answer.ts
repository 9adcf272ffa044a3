import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** Puts the focus into the field `answer` when the address ends with its name. */
export function useFocusAnswer(): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === '#answer') document.getElementById('answer')?.focus();
  }, [hash]);
}
