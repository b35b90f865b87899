package pluginhost

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// openImage copies an executable to where nobody can change it any more, and sums it:
// what is summed in the copy is what runs, also when the file is written to meanwhile.
// The copy is in memory, and gone with the last process that runs it.
func openImage(path string) (image *os.File, sum string, err error) {
	executable, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer executable.Close()
	const name = "querent-plugin" // shows in /proc only
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) { // before Linux 6.3, where every such file may be executed
		fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	}
	if err != nil {
		return nil, "", os.NewSyscallError("memfd_create", err)
	}
	image = os.NewFile(uintptr(fd), path)
	if sum, err = fillAndSeal(image, executable); err != nil {
		_ = image.Close() // of no use to anyone
		return nil, "", err
	}
	return image, sum, nil
}

// fillAndSeal copies through memory of this process, the only one that can write to
// the image from the first seal on, before the first byte: so its sum can be made while
// it is copied, on another core. Where the kernel has no such seal, before Linux 5.1, it
// is made once more when nobody can write to it any more.
func fillAndSeal(image, executable *os.File) (sum string, err error) {
	info, err := executable.Stat()
	if err != nil {
		return "", err
	}
	if info.Size() == 0 {
		return "", errors.New("it is empty")
	}
	if err := image.Truncate(info.Size()); err != nil {
		return "", err
	}
	memory, err := unix.Mmap(int(image.Fd()), 0, int(info.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return "", os.NewSyscallError("mmap", err)
	}
	err = seal(image, unix.F_SEAL_FUTURE_WRITE|unix.F_SEAL_GROW|unix.F_SEAL_SHRINK)
	again := errors.Is(err, unix.EINVAL)
	if err == nil || again {
		sum, err = copyAndSum(memory, executable)
	}
	if err := errors.Join(err, os.NewSyscallError("munmap", unix.Munmap(memory))); err != nil {
		return "", err
	}
	// This fails while anybody else has memory of it that may be written to.
	if err := seal(image, unix.F_SEAL_WRITE|unix.F_SEAL_GROW|unix.F_SEAL_SHRINK|unix.F_SEAL_SEAL); err != nil || !again {
		return sum, err
	}
	return Sum(io.NewSectionReader(image, 0, info.Size()))
}

func seal(image *os.File, seals int) error {
	_, err := unix.FcntlInt(image.Fd(), unix.F_ADD_SEALS, seals)
	return os.NewSyscallError("sealing", err)
}

// copyPiece is large enough that handing a piece on costs nothing beside summing it.
const copyPiece = 1 << 20

// copyAndSum fills to, and sums what is there already meanwhile.
func copyAndSum(to []byte, from io.Reader) (string, error) {
	filled := make(chan []byte, len(to)/copyPiece+1)
	sum := make(chan string, 1)
	go func() {
		h := sha256.New()
		for piece := range filled {
			_, _ = h.Write(piece) // never fails
		}
		sum <- hex.EncodeToString(h.Sum(nil))
	}()
	var err error
	for len(to) > 0 && err == nil {
		piece := to[:min(copyPiece, len(to))]
		if _, err = io.ReadFull(from, piece); err == nil {
			filled <- piece
			to = to[len(piece):]
		}
	}
	close(filled)
	text := <-sum // also after an error: the memory is given back then
	if err != nil {
		return "", fmt.Errorf("copying it: %w", err)
	}
	return text, nil
}
