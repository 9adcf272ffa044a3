import { formatCount } from '#app/lib/money.ts';
import type { PlayerAnswer } from './rules.ts';

/** Writes a player's progress on the card of a course, in place of the text for everybody (P43, P55). */
export function showProgress(card: HTMLElement, own: PlayerAnswer['progress'][string] | undefined): void {
  const line = card.querySelector('.course-card-xp');
  const bar = line?.querySelector('progress');
  const [points, state] = line?.querySelectorAll<HTMLElement>(':scope > span') ?? [];
  if (!bar || !points || !state || !own) return;
  const [, rest] = points.children;
  const words = own.finished ? 'Finished' : `${own.percent}%`;
  if (!rest || state.textContent === words) return;
  // A shorter text keeps the space of the text it replaces, or the bar between them would move.
  for (const part of [points, state]) part.style.minWidth = `${part.offsetWidth}px`;
  state.style.textAlign = 'end';
  bar.value = own.percent;
  state.textContent = words;
  const earned = points.querySelector('b');
  if (earned) earned.textContent = `${formatCount(own.xp)} XP`;
  rest.textContent = own.finished ? ' earned' : ` of ${formatCount(own.courseXp)} earned`;
}
