//! A misspelt parameter of a write, such as `dryrun`, changes nothing.

use stockroom_testkit::{Engine, both};

use crate::callers::World;
use crate::operations;
use crate::rows;

both! {
    async fn no_write_takes_a_parameter_that_it_does_not_know(engine: Engine) {
        let world = World::new(engine).await;
        let admin = world.admin();
        let before = world.records().await;
        let (rows, mut refused) = (rows::all(), 0);
        for operation in operations::all().iter().filter(|operation| operation.writes) {
            let of_operation = rows.iter().filter(|row| row.operation == operation.id);
            for row in of_operation.filter(|row| row.statuses[4] < 300) {
                let answer = admin.ask_with("dryrun=true", &operation.method, row).await;
                assert_eq!((answer.status, answer.pointers()), (400, vec!["dryrun".to_owned()]), "{answer}");
                refused += 1;
            }
        }
        assert!(refused > 50, "only {refused} writes were tried");
        assert_eq!(world.records().await, before);
    }
}
