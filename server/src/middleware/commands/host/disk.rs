//! Disks, partitions and volumes.

use crate::middleware::commands::{
    arguments::Arguments,
    finding::{
        Findings,
        Severity::{Caution, Dangerous},
    },
    place::{is_device, is_partition},
};

pub(super) fn dd(arguments: Arguments<'_>, found: &mut Findings) {
    if arguments.texts().any(|text| is_device(text.strip_prefix("of=").unwrap_or_default())) {
        found.host(Dangerous, "overwrite-device", "It overwrites a disk");
    }
}

pub(super) fn judge(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    let devices = || arguments.texts().filter(|text| is_device(text));
    let device = || devices().next().is_some();
    match program {
        name if name.starts_with("mkfs") || name.starts_with("newfs") => format(arguments, found),
        "mke2fs" | "mkswap" | "mkntfs" | "mkdosfs" => format(arguments, found),
        "wipefs" if arguments.any(&["-a", "--all", "-af", "-fa", "-o"]) => {
            found.host(
                Dangerous,
                "wipe-signatures",
                "It wipes what says which file systems there are",
            );
        }
        "blkdiscard" | "badblocks" if device() => {
            found.host(Dangerous, "overwrite-device", "It overwrites a disk");
        }
        "fdisk" | "sfdisk" | "cfdisk" | "gdisk" | "sgdisk" | "cgdisk" | "parted" | "partprobe"
        | "blockdev" | "growpart" => partitions(program, arguments, device(), found),
        "cryptsetup" => encryption(arguments, device(), found),
        "mount" | "umount" | "swapoff" | "fsck" | "e2fsck" | "tune2fs" | "resize2fs"
        | "debugfs" | "hdparm" | "xfs_repair" | "btrfs"
            if device() || program == "btrfs" =>
        {
            device_tool(program, arguments, found);
        }
        "nvme" if arguments.any(&["format", "sanitize", "delete-ns", "write-zeroes"]) => {
            found.host(Dangerous, "erase-device", "It erases a disk");
        }
        "lvremove" | "vgremove" | "pvremove" | "lvreduce" | "thin_repair"
            if !arguments.0.is_empty() =>
        {
            found.host(Dangerous, "remove-volume", "It removes a volume with its data");
        }
        "dmsetup" if arguments.any(&["remove", "remove_all", "wipe_table", "clear"]) => {
            found.host(Dangerous, "remove-volume", "It removes a volume that may be in use");
        }
        "mdadm" => array(arguments, found),
        "zpool" if arguments.any(&["destroy", "labelclear"]) => {
            found.host(Dangerous, "remove-volume", "It destroys a storage pool");
        }
        "zfs" if arguments.any(&["destroy", "rollback"]) => {
            found.host(
                Dangerous,
                "remove-volume",
                "It destroys a file system or what changed in it",
            );
        }
        "diskutil" => {
            let verb = arguments.word(0).to_ascii_lowercase();
            let erases = ["erase", "partition", "zero", "random", "secureerase", "reformat"];
            if erases.iter().any(|start| verb.starts_with(start))
                || arguments.word(1).to_ascii_lowercase().starts_with("delete")
            {
                found.host(Dangerous, "erase-device", "It erases a disk");
            }
        }
        "format" | "format-volume" | "clear-disk" | "initialize-disk" | "diskpart"
            if program != "format" || arguments.word(0).ends_with(':') =>
        {
            found.host(Dangerous, "format", "It formats a drive");
        }
        "vssadmin" | "wmic" if arguments.any(&["delete", "Delete"]) => {
            found.host(Dangerous, "delete-backups", "It deletes the machine's shadow copies");
        }
        "bcdedit" | "efibootmgr" | "grub-install" | "update-grub" | "bootctl" | "fwupdmgr" => {
            boot(program, arguments, found);
        }
        _ => {}
    }
}

/// Formatting a partition is asked about: it may be a new one, and the tools
/// themselves refuse what is in use. A whole disk is refused.
fn format(arguments: Arguments<'_>, found: &mut Findings) {
    if arguments.any(&["-n", "-N", "--dry-run", "-V"]) && !arguments.any(&["-F", "-f"]) {
        return;
    }
    const REASON: &str = "The command would destroy what is on the disk";
    for text in arguments.texts() {
        if text == "/" || (is_device(text) && !is_partition(text)) {
            found.host(Dangerous, "format", REASON);
        } else if is_device(text) {
            found.host(Caution, "format-partition", REASON);
        }
    }
}

fn partitions(program: &str, arguments: Arguments<'_>, device: bool, found: &mut Findings) {
    if !device {
        return;
    }
    const WRITES: [&str; 22] = [
        "-o",
        "-Z",
        "-z",
        "--zap",
        "--zap-all",
        "--clear",
        "--delete",
        "-d",
        "mklabel",
        "mktable",
        "rm",
        "resizepart",
        "mkpart",
        "--load-backup",
        "-l=",
        "--setrw",
        "--setro",
        "-n",
        "--new",
        "-F",
        "--wipe",
        "--flushbufs",
    ];
    let writes = arguments.texts().any(|text| {
        WRITES.iter().any(|write| {
            text == *write || text.split_once('=').is_some_and(|(name, _)| name == *write)
        })
    });
    if writes && !matches!(program, "partprobe" | "blockdev") {
        found.host(Dangerous, "partition", "It changes a disk's partitions");
    } else {
        found.host(Caution, "partition-tool", "It opens a disk with a partitioning tool");
    }
}

fn encryption(arguments: Arguments<'_>, device: bool, found: &mut Findings) {
    let destroys =
        ["luksFormat", "luksErase", "erase", "luksKillSlot", "reencrypt", "luksRemoveKey"];
    if arguments.any(&destroys) {
        found.host(Dangerous, "encryption", "It destroys an encrypted volume or the way into it");
    } else if device {
        found.host(Caution, "encryption-tool", "It works on an encrypted volume");
    }
}

fn device_tool(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    match program {
        "hdparm"
            if arguments
                .options()
                .any(|text| text.contains("security-erase") || text.contains("trim")) =>
        {
            found.host(Dangerous, "erase-device", "It erases a disk");
        }
        "btrfs" => {
            if arguments.any(&["delete", "remove"])
                || (arguments.has("check") && arguments.long("repair"))
            {
                found.host(Dangerous, "remove-volume", "It deletes a volume");
            }
        }
        "mount" => found.host(Caution, "mount", "It mounts a disk"),
        "umount" => found.host(Caution, "unmount", "It takes a disk out of use"),
        _ if arguments.has("-n") || arguments.has("-l") => {}
        _ => found.host(Caution, "file-system-tool", "It changes a file system on a disk"),
    }
}

fn array(arguments: Arguments<'_>, found: &mut Findings) {
    let destroys =
        ["--stop", "-S", "--zero-superblock", "--remove", "-r", "--fail", "-f", "--create", "-C"];
    if arguments.any(&destroys) {
        found.host(Dangerous, "disk-array", "It stops or changes an array of disks");
    }
}

fn boot(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    let deletes = match program {
        "bcdedit" => {
            arguments.texts().any(|text| text.starts_with("/delete") || text.starts_with("/set"))
        }
        "efibootmgr" => arguments.short('B') || arguments.long("delete-bootnum"),
        "bootctl" => arguments.any(&["remove", "unlink"]),
        "grub-install" => true,
        _ => false,
    };
    if deletes {
        found.host(Dangerous, "boot", "It changes how the machine starts");
    }
}
