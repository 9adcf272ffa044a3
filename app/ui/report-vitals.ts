/**
 * Measures this visit and sends the figures once, when the page is left or put in the background. Fetched only for the
 * sample of visits that is measured; the page says which route it is (root.tsx).
 */
import { href } from 'react-router';
import { type MetricType, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';

const { route } = document.documentElement.dataset;
const measured = new Map<string, MetricType>();
const note = (metric: MetricType) => void measured.set(metric.name, metric);
for (const measure of [onCLS, onFCP, onINP, onLCP, onTTFB]) measure(note);

// web-vitals settles its figures on the same event, in the capture phase.
addEventListener('visibilitychange', send);

function send() {
  if (document.visibilityState !== 'hidden' || measured.size === 0) return;
  removeEventListener('visibilitychange', send);
  const vitals = [...measured.values()].map(({ name, value, rating }) => ({ name, value: rounded(value), rating }));
  navigator.sendBeacon(href('/api/vitals'), JSON.stringify({ route, vitals }));
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
