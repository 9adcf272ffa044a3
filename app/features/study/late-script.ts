/**
 * The parts of a page for everybody that belong to one player, written after it is painted (P55): the name in the
 * header and their progress on cards, in space that is kept for it. React does not know of them, and no page waits for
 * them.
 */
import { formatCount } from '#app/lib/money.ts';

/** The answer of `/api/player`. */
export type PlayerAnswer = {
  name: string | null;
  /** By slug, of courses that are under way or finished. */
  progress: Record<string, Progress>;
};

type Progress = { percent: number; xp: number; courseXp: number; finished: boolean };

let player: PlayerAnswer | null = null;

/** Asks only where a cookie says that somebody is signed in. Without a network its failure does no harm. */
async function readPlayer(): Promise<void> {
  if (!/(?:^|; )signed-in=1/.test(document.cookie)) return;
  const response = await fetch('/api/player').catch(() => null);
  player = response?.ok ? await response.json() : null;
  show();
}

function show(): void {
  if (!player) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('header a[href="/login"]')) {
    link.href = '/account';
    link.textContent = shortName(player.name ?? 'Account');
  }
  for (const card of document.querySelectorAll<HTMLElement>('.course-card')) {
    const path = card.querySelector('a')?.pathname ?? '';
    showProgress(card, player.progress[path.replace('/course/', '')]);
  }
}

function shortName(name: string): string {
  const letters = [...name];
  return letters.length > 8 ? `${letters.slice(0, 7).join('')}…` : name;
}

/** Writes a player's progress on the card of a course, in place of the text for everybody (P43). */
function showProgress(card: HTMLElement, own: Progress | undefined): void {
  const line = card.querySelector('.course-card-xp');
  const bar = line?.querySelector('progress');
  const [points, state] = line?.querySelectorAll<HTMLElement>(':scope > span') ?? [];
  if (!bar || !points || !state || !own) return;
  const [earned, rest] = points.children;
  const words = own.finished ? 'Finished' : `${own.percent}%`;
  if (!earned || !rest || state.textContent === words) return;
  // A shorter text keeps the space of the text it replaces, or the bar between them would move.
  for (const part of [points, state]) part.style.minWidth = `${part.offsetWidth}px`;
  state.style.textAlign = 'end';
  bar.value = own.percent;
  state.textContent = words;
  earned.textContent = `${formatCount(own.xp)} XP`;
  rest.textContent = own.finished ? ' earned' : ` of ${formatCount(own.courseXp)} earned`;
}

// React makes new cards. Told before the next layout, so a new list is painted with its progress.
new MutationObserver(show).observe(document.body, { childList: true, subtree: true });
// Somebody logged in in another tab, or comes back from the login.
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void readPlayer();
});
void readPlayer();
