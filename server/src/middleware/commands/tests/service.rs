use super::support::{check_caution, check_dangerous, check_safe};
use crate::middleware::commands::Tier::Service;

#[test]
fn deleting_what_a_service_holds_is_dangerous() {
    check_dangerous(
        Service,
        &[
            "aws --region eu-west-1 ec2 terminate-instances --instance-ids i-1",
            "aws s3 rm s3://bucket --recursive",
            "aws s3 rb s3://bucket",
            "gcloud sql instances delete main",
            "gcloud run services delete web",
            "az group delete --name prod",
            "gh repo delete owner/name --yes",
            "gh api -X DELETE repos/owner/name",
            "heroku apps:destroy web",
            "fly volumes destroy vol_1",
            "rabbitmqctl delete_user ci",
            "kafka-topics --bootstrap-server b:9092 --delete --topic t",
            "velero backup delete nightly",
            "npm unpublish left",
            "terraform destroy",
            "terraform state rm a",
            "helm uninstall web",
        ],
    );
    check_caution(Service, &["vault secrets disable secret/", "terraform apply -auto-approve"]);
}

#[test]
fn containers_and_clusters_are_known() {
    check_dangerous(
        Service,
        &[
            "docker system prune -af",
            "docker volume rm data",
            "docker rm -f $(docker ps -aq)",
            "docker compose down -v",
            "docker run --privileged nginx",
            "kubectl delete ns prod",
            "kubectl -n prod delete pods --all",
            "kubectl apply --force -f x.yaml",
        ],
    );
    check_caution(Service, &["kubectl drain node1", "kubectl scale deploy/web --replicas=0"]);
    check_safe(&[
        "docker ps",
        "docker rm stopped",
        "docker compose down",
        "kubectl get pods",
        "kubectl apply -f x.yaml",
        "kubectl logs delete-worker",
    ]);
}

#[test]
fn statements_of_databases_are_known_wherever_they_stand() {
    check_dangerous(
        Service,
        &[
            "DROP TABLE users;",
            "drop database app",
            "DELETE FROM users;",
            "UPDATE users SET active = false",
            "mysql -u root -e 'DROP DATABASE app'",
            "psql -c \"TRUNCATE users\"",
            "psql <<EOF\nDROP TABLE users;\nEOF",
            "echo 'DROP TABLE users' | sqlite3 app.db",
            "redis-cli -n 0 FLUSHALL",
            "mongosh --eval 'db.users.drop()'",
            "db.dropDatabase()",
            "dropdb app",
        ],
    );
    check_safe(&[
        "SELECT * FROM users",
        "DELETE FROM users WHERE id = 1;",
        "UPDATE users SET active = false WHERE id = 1",
        "psql -c 'SELECT 1'",
        "redis-cli GET key",
        "mongosh --eval 'db.users.find()'",
    ]);
}

#[test]
fn requests_that_delete_are_known() {
    check_dangerous(
        Service,
        &[
            "curl -X DELETE https://api.example.com/users/1",
            "curl --request DELETE localhost:8001/services/x",
            "http DELETE :9200/index",
            "curl -X POST localhost:9200/index/_delete_by_query",
        ],
    );
    check_safe(&["curl https://example.com", "curl -X POST https://example.com/search"]);
}

#[test]
fn reading_and_trying_out_pass() {
    check_safe(&[
        "aws s3 ls",
        "aws s3 rm s3://bucket --recursive --dryrun",
        "aws apigateway get-api-keys",
        "gcloud compute instances list",
        "gh pr list",
        "gh release view v1",
        "terraform plan",
        "vault read secret/a",
        "npm install",
        "npm run delete",
    ]);
}
