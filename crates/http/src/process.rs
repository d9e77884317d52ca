//! Metrics of this process, as Linux reports them in `/proc`; elsewhere they are left out.

/// Sets the gauges to the current values.
pub(crate) fn record() {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else {
        return;
    };
    let gauges = [
        ("VmRSS:", "stockroom_process_resident_kibibytes"),
        ("RssAnon:", "stockroom_process_anonymous_kibibytes"),
        ("Threads:", "stockroom_process_threads"),
    ];
    for line in status.lines() {
        for (key, gauge) in gauges {
            let value = line
                .strip_prefix(key)
                .and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
            if let Some(value) = value {
                metrics::gauge!(gauge).set(value);
            }
        }
    }
}
