import { type RefObject, useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { linkOf, rowsOf } from './rows.ts';

/** In these a key is typed, or chooses something. */
const typing = 'input, textarea, select, [contenteditable]';

/** The keys of the inbox (P81) for the rows in `list`; off while something is typed, and with other keys held down. */
export function useInboxKeys(list: RefObject<HTMLElement | null>, { on, showKeys }: { on: boolean; showKeys(): void }) {
  const navigate = useNavigate();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event;
    if (!on || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (!(target instanceof Element) || target.closest(`${typing}, [role=dialog]`)) return;
    const rows = rowsOf(list.current);
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    if (key === '?') showKeys();
    else if (key === 'j') linkOf(rows[Math.min(at + 1, rows.length - 1)])?.focus();
    else if (key === 'k') linkOf(rows[Math.max(at - 1, 0)])?.focus();
    else if (rows[at]) {
      const row = rows[at];
      if (key === 'e') row.querySelector<HTMLElement>('button[value=done]')?.click();
      else if (key === 't') row.querySelector<HTMLElement>('button[value=take], button[value=put-back]')?.click();
      else if (key === 's') openSnooze(row);
      else if (key === 'r') void navigate(`${linkOf(row)?.getAttribute('href')}#answer`);
      else return;
    } else return;
    event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Opens the row's menu at the choice of until when. */
function openSnooze(row: HTMLElement) {
  const choice = row.querySelector<HTMLElement>('select[name=until]');
  const menu = choice?.closest('details');
  if (!choice || !menu) return;
  menu.open = true;
  choice.focus();
}
