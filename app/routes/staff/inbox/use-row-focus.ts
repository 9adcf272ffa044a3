import { type RefObject, useEffect, useRef } from 'react';
import { useNavigation } from 'react-router';

/**
 * Keeps the focus in the list when a row was acted on: in the row itself while it is listed, otherwise in the one that
 * came into its place, the last one, or the page's head. `refused`: the page says why, and has the focus there.
 */
export function useRowFocus(
  list: RefObject<HTMLElement | null>,
  { items, refused }: { items: readonly string[]; refused: boolean },
) {
  const { state, formData } = useNavigation();
  const acted = useRef<{ item: string; at: number } | null>(null);
  const item = formData?.get('item');
  useEffect(() => {
    if (state === 'submitting' && typeof item === 'string') acted.current = { item, at: items.indexOf(item) };
    if (state !== 'idle' || !acted.current) return;
    const { item: was, at } = acted.current;
    acted.current = null;
    if (refused || at < 0) return;
    const still = items.indexOf(was);
    const rows = [...(list.current?.querySelectorAll(':scope > ul > li') ?? [])];
    const link = rows[still < 0 ? Math.min(at, rows.length - 1) : still]?.querySelector('a');
    if (link) link.focus({ preventScroll: still >= 0 });
    else document.getElementById('main')?.focus();
  }, [state, item, items, refused, list]);
}
