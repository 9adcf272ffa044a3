import type { MouseEvent } from 'react';
import { href, useNavigate } from 'react-router';

/**
 * How many steps back in the history the list lies from which one came to a course, by way of other courses at most;
 * null when one came from elsewhere. `paths` are those of the history's entries up to this one.
 */
export function stepsToList(paths: readonly string[]): number | null {
  for (let steps = 1; steps < paths.length; steps++) {
    const path = paths.at(-1 - steps) ?? '';
    if (path === href('/') || path === href('/courses')) return steps;
    if (!path.startsWith('/course/')) return null;
  }
  return null;
}

/**
 * Handles a click on Back to Courses: back to the list one came from, with its filters and place. Without such a list, or
 * in a browser that does not show its history (the Navigation API), the link leads where it says.
 */
export function useBackToList(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (!('navigation' in window)) return;
    const { navigation } = window;
    const here = navigation.currentEntry?.index ?? 0;
    const paths = navigation.entries().slice(0, here + 1);
    const steps = stepsToList(paths.map(({ url }) => (url ? new URL(url).pathname : '')));
    if (steps === null) return;
    event.preventDefault();
    navigate(-steps);
  };
}
