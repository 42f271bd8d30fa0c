/**
 * How charts look. Pages and reports set the variables; where they do not, the colours are those of the light theme.
 * A colour never says anything alone: marks differ in shape or place as well.
 */
export const chartStyles = `
.chart { display: block; max-width: 100%; height: auto; overflow: visible; font-size: 12px; font-family: inherit; }
.chart text { fill: var(--chart-text, #1d2d3e); }
.chart .tick, .chart .unit { fill: var(--chart-quiet, #556b82); font-size: 11px; }
.chart .value { font-variant-numeric: tabular-nums; font-weight: bold; }
.chart .grid { stroke: var(--chart-grid, #d9dde1); stroke-width: 1; }
.chart .axis { stroke: var(--chart-axis, #758ca4); stroke-width: 1; }
.chart .reference { stroke: var(--chart-axis, #758ca4); stroke-width: 1.5; stroke-dasharray: 4 3; }
.chart .whisker { stroke: var(--chart-mark, #0057d2); stroke-width: 2; }
.chart .line { fill: none; stroke: var(--chart-mark, #0057d2); stroke-width: 2; }
.chart .ideal { fill: none; stroke: var(--chart-axis, #758ca4); stroke-width: 1.5; stroke-dasharray: 4 3; }
.chart .band { fill: var(--chart-mark, #0057d2); fill-opacity: 0.12; }
.chart .hollow { fill: var(--chart-background, #fff); stroke: var(--chart-quiet, #556b82); stroke-width: 2; }
.chart .bar, .chart .cell { fill: var(--chart-mark, #0057d2); }
.chart .number { font-variant-numeric: tabular-nums; }
.chart .dot { fill: var(--chart-mark, #0057d2); }
.chart .win { fill: var(--chart-good, #256f3a); }
.chart .loss { fill: var(--chart-bad, #aa0808); }
`;
